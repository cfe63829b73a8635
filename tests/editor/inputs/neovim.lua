-- Neovim as docs/editor.md sets it up (EDITOR_PAGE): a kernel with an error, mended and saved; a hover.
local page, kernel = vim.env.EDITOR_PAGE, vim.env.EDITOR_KERNEL
local text = table.concat(vim.fn.readfile(page), "\n")
assert(loadstring(text:match("```lua\n(.-)```")))()

local function show(what)
  io.stdout:write(what, "\n")
end

-- Lines of a message are parted by " | ".
local function diagnostics(wanted)
  if not vim.wait(60000, function() return wanted(vim.diagnostic.get(0)) end, 10) then
    show("no such diagnostics")
  end
  for _, found in ipairs(vim.diagnostic.get(0)) do
    show(("line %d, column %d: %s"):format(found.lnum + 1, found.col + 1, (found.message:gsub("\n", " | "))))
  end
end

vim.cmd("edit " .. kernel)
vim.bo.filetype = "python"
show("opened")
diagnostics(function(found) return #found > 0 end)

vim.cmd("silent %s/copyy/copy/")
vim.cmd("silent write")
show("mended")
diagnostics(function(found) return #found == 0 end)

local line = vim.fn.search("tile = T.alloc_shared")
local place = vim.lsp.util.make_position_params()
place.position = { line = line - 1, character = vim.fn.indent(line) }
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", place, 60000)
for _, answer in pairs(answers or {}) do
  show(answer.result and answer.result.contents.value or "no hover")
end
