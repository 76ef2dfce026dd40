-- Neovim's own client of the Language Server Protocol drives the server. KAIROS names the program.
-- Prints one line for each failed check, and "done" at the end.
local failed = 0
local function check(what, condition, more)
  if not condition then
    failed = failed + 1
    print("FAILED " .. what .. " " .. vim.inspect(more))
  end
end

local text = {
  "model Ball",
  "  parameter Real gravity=9.81;",
  "Real h(start=1, fixed=true);",
  "  Real v(start=0, fixed=true);",
  "equation",
  "  der(h) = v;",
  "  der(v) = -gravty;",
  "end Ball;",
}
vim.fn.writefile(text, "Ball.mo")
vim.cmd("edit Ball.mo")
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({
  name = "kairos",
  cmd = { vim.env.KAIROS, "lsp" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(buffer, id)

local function line(n)
  return vim.api.nvim_buf_get_lines(buffer, n, n + 1, false)[1]
end
local function wait(what, condition)
  check(what, vim.wait(20000, condition, 20), vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000) or {}
  local answer = answers[id] or {}
  check(method .. " has no error", not answer.error and not answer.err, answer)
  return answer.result
end
local function at(row, column)
  vim.api.nvim_win_set_cursor(0, { row + 1, column })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

-- problems
wait("a problem is shown", function()
  return #vim.diagnostic.get(buffer) == 1
end)
local problem = vim.diagnostic.get(buffer)[1] or {}
check("its place", problem.lnum == 6 and problem.col == 12, problem)
check("its text", (problem.message or ""):find("did you mean 'gravity'"), problem)

-- a quick fix
local range = { start = { line = 6, character = 12 }, ["end"] = { line = 6, character = 18 } }
local document = vim.lsp.util.make_text_document_params(buffer)
local actions = ask("textDocument/codeAction", {
  textDocument = document,
  range = range,
  context = { diagnostics = {} },
})
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
check("the fix", line(6) == "  der(v) = -gravity;", line(6))
wait("no problem is left", function()
  return #vim.diagnostic.get(buffer) == 0
end)

-- completion
vim.api.nvim_buf_set_lines(buffer, 6, 7, false, { "  der(v) = -gra;" })
local items = ask("textDocument/completion", at(6, 15))
local found = vim.lsp.util.text_document_completion_list_to_complete_items(items, "gra")
check("completion", found[1] and found[1].word == "gravity", found)
vim.api.nvim_buf_set_lines(buffer, 6, 7, false, { "  der(v) = -gravity;" })

-- a new name
local params = at(6, 13)
params.newName = "g"
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", params), "utf-16")
check("the declaration", line(1) == "  parameter Real g=9.81;", line(1))
check("the use", line(6) == "  der(v) = -g;", line(6))

-- hover and definition
local hover = ask("textDocument/hover", at(6, 12))
check("hover", hover.contents.value:find("parameter Real g"), hover)
local place = ask("textDocument/definition", at(6, 12))
check("definition", place.range.start.line == 1, place)

-- formatting
local edits = ask("textDocument/formatting", {
  textDocument = document,
  options = { tabSize = 2, insertSpaces = true },
})
vim.lsp.util.apply_text_edits(edits, buffer, "utf-16")
check("formatting", line(2) == "  Real h(start=1, fixed=true);", line(2))

vim.lsp.stop_client(id)
check("the server ends", vim.wait(10000, function()
  return vim.lsp.client_is_stopped(id)
end, 20))
print(failed == 0 and "done" or "failed")
vim.cmd("qall!")
