// Every view that models.def names, for those who expand it.
#pragma once

#include "core/views/arena_model.h"
#include "core/views/arguments_model.h"
#include "core/views/buffer_model.h"
#include "core/views/changes_model.h"
#include "core/views/compare_model.h"
#include "core/views/cuda_model.h"
#include "core/views/findings_model.h"
#include "core/views/ir_model.h"
#include "core/views/lifetimes_model.h"
#include "core/views/passes_model.h"
#include "core/views/peak_model.h"
#include "core/views/remarks_model.h"
#include "core/views/search_model.h"
#include "core/views/source_model.h"
#include "core/views/stages_model.h"
#include "core/views/timeline_model.h"
