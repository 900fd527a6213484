/**
 * Name that occurs twice in one object of a valid JSON text; undefined if there is none. `JSON.parse` keeps
 * the last value, while another parser may keep the first. `names` is the number of names in the parsed
 * value; a text with as many colons repeats none.
 */
export function repeatedName(text: string, names: number): string | undefined {
  return colonsIn(text) === names ? undefined : findRepeated(text)
}

function colonsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count++
  return count
}

/** Matches a quotation mark, a bracket, or the colon after a name. */
const MARK = /["{}[\]:]/g

function findRepeated(text: string): string | undefined {
  const marks = new RegExp(MARK)
  const objects: Set<string>[] = []
  let quoted = ''
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    switch (mark[0]) {
      case '"':
        marks.lastIndex = endOfText(text, mark.index)
        quoted = text.slice(mark.index, marks.lastIndex)
        break
      case ':': {
        const name: string = JSON.parse(quoted)
        if (objects.at(-1)?.has(name)) return name
        objects.at(-1)?.add(name)
        break
      }
      case '{':
      case '[':
        objects.push(new Set())
        break
      default:
        objects.pop()
    }
  }
  return undefined
}

/** Index after the closing quotation mark of the text that begins at `start`. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charAt(before - 1) === '\\') before--
  return (at - before) % 2 === 1
}
