import type ts from 'typescript'

/** Kind of change that a mutation makes to the source. */
export type Operator = 'number' | 'branch' | 'call' | 'boundary' | 'sign' | 'logic' | 'field'

/** A fault that is put into a file to see whether a test detects it. */
export interface Mutation {
  readonly file: string
  readonly operator: Operator
  readonly line: number
  /** The affected lines, joined into one, without the fault; `after` is the same with the fault. */
  readonly before: string
  readonly after: string
  /** The whole text of the file with the fault. */
  readonly text: string
}

/** A range of a file, and the text that replaces it. */
export interface Edit {
  readonly operator: Operator
  readonly start: number
  readonly end: number
  readonly replacement: string
}

export function mutationOf(file: string, source: ts.SourceFile, edit: Edit): Mutation {
  const { text } = source
  const { operator, start, end, replacement } = edit
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const to = lineEnd < 0 ? text.length : lineEnd
  return {
    file,
    operator,
    line: source.getLineAndCharacterOfPosition(start).line + 1,
    before: onOneLine(text.slice(from, to)),
    after: onOneLine(text.slice(from, start) + replacement + text.slice(end, to)),
    text: text.slice(0, start) + replacement + text.slice(end),
  }
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
