/** Pieces of a line: quoted (perhaps not closed yet), after a backslash, blanks, anything else. */
const PIECE = /"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.?)|(\s+)|([^\s"'\\]+)/gs

/** The words of a command line, the last of which is still being typed; quotes and backslashes as in shells. */
export function lineWords(line: string): readonly string[] {
  const words = ['']
  for (const [, double, single, escaped, blanks, plain] of line.trimStart().matchAll(PIECE)) {
    if (blanks !== undefined) words.push('')
    else words.push(`${words.pop()}${double?.replace(/\\(.)/gs, '$1') ?? single ?? escaped ?? plain}`)
  }
  return words
}
