-- wrk [...] -- <body template> <placeholder> <key prefix>; the token is in BENCH_TOKEN.
-- The request is formatted once; each one then only replaces the key, which has the placeholder's length.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

function init(args)
  wrk.method = "POST"
  wrk.body = args[1]
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("BENCH_TOKEN")
  local whole = wrk.format()
  local first, last = whole:find(args[2], 1, true)
  before = whole:sub(1, first - 1)
  after = whole:sub(last + 1)
  prefix = args[3] .. "-" .. number .. "-"
  width = #args[2] - #prefix
  sent = 0
  refused = 0
end

function request()
  sent = sent + 1
  return before .. prefix .. string.format("%0" .. width .. "d", sent) .. after
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
