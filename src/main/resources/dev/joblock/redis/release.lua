-- ARGV: nonce
if not ours or text('owner') ~= ARGV[1] then return '0' end
free(ARGV[1], true)
if running then
  put('status', 'false')
  put('until', str(now))
  local field = 'i:' .. text('lane')
  local last = mark(record[field])
  if text('rule') == 'interval-end' and last then
    last.start = now
    put(field, join(last))
  end
  write()
end
return text('rule') == 'none' and '0' or '1'
