/** Records of the part of a CSV text before the first quote. */
interface PlainRecords {
  readonly records: readonly (readonly string[])[]
  /** Beginning of the next record. */
  readonly rest: string
  readonly quoted?: undefined
}

/** The rest of the text, from the record with the first quote. */
interface Quoted {
  readonly quoted: AsyncIterable<string>
  /** Line ending of the first record; undefined if no record has ended. */
  readonly lineEnd: string | undefined
}

/**
 * Records of a CSV text up to the first quote, as csv-parse reads them, then the remaining text. Splitting takes a
 * tenth of the time of csv-parse.
 */
export async function* plainRecords(
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncIterable<PlainRecords | Quoted> {
  const isUsual = /^[^"\r\n]$/.test(delimiter)
  const parts = text[Symbol.asyncIterator]()
  let rest = ''
  let lineEnd: string | undefined
  try {
    for (;;) {
      const { value: part = '', done = false } = await parts.next()
      const known = rest + part
      if (!isUsual || part.includes('"')) return yield { quoted: continued(known, parts), lineEnd }
      lineEnd ??= lineEndOf(known, done)
      const found = lineEnd === undefined ? [known] : known.split(lineEnd)
      rest = found.pop() ?? ''
      if (done && rest !== '') found.push(rest)
      yield { records: found.map((line) => line.split(delimiter)), rest: done ? '' : rest }
      if (done) return
    }
  } finally {
    await parts.return?.()
  }
}

/**
 * The first line ending in a text; undefined if there is none yet, or if it may continue in the next piece.
 */
function lineEndOf(text: string, isWhole: boolean): string | undefined {
  const [end] = /\r\n|\n|\r/.exec(text) ?? []
  const isSplit = end === '\r' && text.indexOf('\r') === text.length - 1
  return isSplit && !isWhole ? undefined : end
}

async function* continued(known: string, parts: AsyncIterator<string>): AsyncIterable<string> {
  yield known
  for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value
}
