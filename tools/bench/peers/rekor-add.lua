-- wrk [...] -- <file of entries>: adds the lines of the file to a log of Rekor v2, one by one, and prints what create.lua
-- prints. Rekor refuses an entry that came before; so an error ends the run when the file ends.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local headers = { ["Content-Type"] = "application/json" }
  requests = {}
  for line in io.lines(args[1]) do
    table.insert(requests, wrk.format("POST", "/api/v2/log/entries", headers, line))
  end
  sent = 0
  refused = 0
end

function request()
  sent = sent + 1
  return requests[sent]
end

function response(status)
  if status ~= 201 then
    refused = refused + 1
  end
end

function done(summary)
  local refusals = 0
  for _, thread in ipairs(threads) do
    refusals = refusals + thread:get("refused")
  end
  local errors = summary.errors
  print(string.format(
    'BENCH {"requests":%d,"durationMicros":%d,"refused":%d,"failed":%d}',
    summary.requests, summary.duration, refusals,
    errors.connect + errors.read + errors.write + errors.timeout))
end
