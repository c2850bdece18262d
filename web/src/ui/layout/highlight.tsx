/** A text with the matching part in bold. */
export function Highlight({ text, part }: { text: string; part: string }) {
  const sought = part.trim().toLowerCase()
  const start = sought ? text.toLowerCase().indexOf(sought) : -1
  if (start < 0) return text
  const end = start + sought.length
  return (
    <>
      {text.slice(0, start)}
      <b>{text.slice(start, end)}</b>
      {text.slice(end)}
    </>
  )
}
