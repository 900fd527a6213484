import { cutTo, filled, widthOf } from '../output/width.js'
import { wrapped } from '../output/wrap.js'

/** A flag, a command or a topic, with its meaning. */
export interface Definition {
  readonly term: string
  readonly meaning: string
  /** Whether the meaning is cut to one line instead of wrapped. */
  readonly isCut?: boolean
}

/** Minimum width of a terminal at which a meaning is printed beside its term; otherwise below it. */
const MIN_BESIDE = 60
const INDENT = 2
const GAP = 2

/** Width of the column of terms, the same for every section of a page. */
export function termWidth(definitions: readonly Definition[], width: number): number {
  const most = Math.floor(width * 0.45)
  const fitting = definitions.map(({ term }) => widthOf(term)).filter((term) => term <= most)
  return Math.max(0, ...fitting)
}

/** Lines of definitions: terms on the left, meanings beside them, wrapped to `width` columns. */
export function definitionLines(
  definitions: readonly Definition[],
  { width, terms }: { readonly width: number; readonly terms: number },
): string[] {
  const isBeside = width >= MIN_BESIDE
  const indent = isBeside ? INDENT + terms + GAP : INDENT * 3
  const lead = (lines: readonly string[], blanks: number) => lines.map((line) => ' '.repeat(blanks) + line)
  return definitions.flatMap(({ term, meaning, isCut }) => {
    const lines = isCut ? [cutTo(meaning, width - indent)] : wrapped(meaning, width - indent)
    const [first = '', ...more] = lines
    if (isBeside && widthOf(term) <= terms)
      return [`${filled(' '.repeat(INDENT) + term, indent, 'left')}${first}`.trimEnd(), ...lead(more, indent)]
    const heads = isBeside ? [term] : wrapped(term.trim(), width - INDENT)
    const below = lines.filter((line) => line !== '')
    return [...lead(heads, INDENT), ...lead(below, indent)]
  })
}
