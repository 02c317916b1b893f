-- Random positions of a list: LIST names the file, ID the solution.
local paths = {}
for line in io.lines(os.getenv("LIST")) do
  local encoded = line:gsub(" ", "_"):gsub("*", "%%2A"):gsub("@", "%%40")
  paths[#paths + 1] = "/api/v1/" .. os.getenv("ID") .. "?position=" .. encoded
end
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
done = function(summary)
  local e = summary.errors
  print(string.format("answers that were none: %d, refusals: %d", e.connect + e.read + e.write + e.timeout, e.status))
end
