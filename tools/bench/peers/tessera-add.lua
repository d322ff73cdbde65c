-- wrk [...] -- <prefix>: adds entries of 1 KB to a Tessera log, each different, and prints what create.lua prints.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

function init(args)
  wrk.method = "POST"
  wrk.path = "/add"
  prefix = args[1] .. "-" .. number .. "-"
  filling = string.rep("a", 1000)
  sent = 0
  refused = 0
end

function request()
  sent = sent + 1
  return wrk.format(nil, nil, nil, prefix .. sent .. "-" .. filling)
end

function response(status)
  if status ~= 200 then
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
