-- Used by unclaim and cancel.
local function unclaim(nonce)
  if not ours or text('owner') ~= nonce or not running then return false end
  free(nonce, false)
  put('status', 'false')
  put('until', str(now))
  put('rule', 'none')
  local rule, lane, before = text('rule'), text('lane'), text('prev')
  if rule == 'owed' then
    local newer, owed = mark(record['o:' .. lane]), mark(before)
    if owed and (not newer or newer.start < owed.start) then put('o:' .. lane, before) end
  elseif rule == 'slot' or string.sub(rule, 1, 8) == 'interval' then
    local field = (rule == 'slot' and 'm:' or 'i:') .. lane
    local current = mark(record[field])
    if current and current.token == num(record['token']) then
      if before == '' then drop(field) else put(field, before) end
    end
  end
  return true
end
