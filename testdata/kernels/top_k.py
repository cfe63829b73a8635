"""The largest numbers of each row with their places: by taking the maximum again and again, and by sorting."""
# tilescope: by_maximum --set rows=64 --set columns=64
# tilescope: by_maximum --set rows=40 --set columns=128 --set count=6 --set block_rows=16
# tilescope: by_sorting --set rows=16 --set columns=256
# tilescope: by_sorting --set rows=10 --set columns=100 --set count=20 --set threads=128
import tilelang
import tilelang.language as T


@tilelang.jit
def by_maximum(scores, count: int = 4, block_rows: int = 32, threads: int = 128):
    """Each round takes the maximum of every row out of it; of equal ones the last. Weights sum to one."""
    rows, columns = T.const("rows, columns")
    scores: T.Tensor((rows, columns), "float32")
    weights = T.empty((rows, count), "float32")
    places = T.empty((rows, count), "int32")

    with T.Kernel(T.ceildiv(rows, block_rows), threads=threads) as block:
        left = T.alloc_fragment((block_rows, columns), "float32")
        place = T.alloc_fragment((block_rows, columns), "int32")
        top = T.alloc_fragment((block_rows,), "float32")
        top_place = T.alloc_fragment((block_rows,), "int32")
        first = T.alloc_fragment((block_rows,), "float32")
        total = T.alloc_fragment((block_rows,), "float32")
        chosen = T.alloc_shared((block_rows, count), "float32")
        T.copy(scores[block * block_rows, 0], left)
        T.reduce_max(left, first, dim=1)
        T.clear(total)
        for k in T.serial(count):
            T.reduce_max(left, top, dim=1)
            for i, j in T.Parallel(block_rows, columns):
                place[i, j] = T.if_then_else(left[i, j] == top[i], j, -1)
            T.reduce_max(place, top_place, dim=1)
            for i, j in T.Parallel(block_rows, columns):
                left[i, j] = T.if_then_else(j == top_place[i], -T.infinity("float32"), left[i, j])
            for i in T.Parallel(block_rows):
                top[i] = T.exp(top[i] - first[i])
                total[i] += top[i]
                chosen[i, k] = top[i]
                if block * block_rows + i < rows:
                    places[block * block_rows + i, k] = top_place[i]
        for i, k in T.Parallel(block_rows, count):
            if block * block_rows + i < rows:
                weights[block * block_rows + i, k] = chosen[i, k] / total[i]

    return weights, places


def exchanges(count):
    """Runs of 2, 4, ... count numbers become sorted, every other one the other way round: which run, over which distance."""
    runs = [2 << i for i in range(count.bit_length() - 1)]
    return [(run, run >> (i + 1)) for run in runs for i in range(run.bit_length() - 1)]


@tilelang.jit
def by_sorting(X, count: int = 8, threads: int = 256):
    """Bitonic: a number a thread, the largest ones first. Partners within a warp exchange by shuffles, others through
    shared memory; of equal numbers the first comes first, so that every order is the same."""
    rows, columns = T.const("rows, columns")
    X: T.Tensor((rows, columns), "float32")
    values = T.empty((rows, count), "float32")
    places = T.empty((rows, count), "int32")

    with T.Kernel(rows, threads=threads) as row:
        all_values = T.alloc_shared((threads,), "float32")
        all_places = T.alloc_shared((threads,), "int32")
        thread = T.get_thread_binding()
        value = T.alloc_var("float32")
        place = T.alloc_var("int32")
        other_value = T.alloc_var("float32")
        other_place = T.alloc_var("int32")
        value = -T.infinity("float32")
        place = thread
        if thread < columns:
            value = X[row, thread]
        for run, distance in exchanges(threads):
            if distance >= 32:
                all_values[thread] = value
                all_places[thread] = place
                T.sync_threads()
                other_value = all_values[thread ^ distance]
                other_place = all_places[thread ^ distance]
                T.sync_threads()
            else:
                other_value = T.shfl_xor(value, distance)
                other_place = T.shfl_xor(place, distance)
            is_larger = value > other_value or (value == other_value and place < other_place)
            takes_larger = ((thread & distance) == 0) == ((thread & run) == 0)
            if is_larger != takes_larger:
                value = other_value
                place = other_place
        if thread < count:
            values[row, thread] = value
            places[row, thread] = place

    return values, places
