/** Operator of a filter: `?*` means "contains", `?` means "begins with". */
export type Operator = '=' | '!' | '<' | '<=' | '>' | '>=' | '?*' | '?'

/** One alternative of a filter's value, without its operator and escapes. */
export interface Alternative {
  readonly operator: Operator
  readonly literal: string
  /** Whether `\` was written before the alternative: `\null` is the word "null". */
  readonly isWord: boolean
}

/** Character of a filter's value. */
interface Character {
  readonly text: string
  /** Whether `\` was written before the character, which makes it an ordinary character. */
  readonly isEscaped: boolean
}

/** Characters that `\` makes ordinary. Before any other character, `\` stands for itself. */
const ESCAPABLE = new Set(['\\', '!', '<', '>', '|', '?', '*'])

/** Words that mean "no value", unless `\` is written before them. */
const UNSET = /^(null|None|nil)$/

/**
 * Splits a filter's value into its alternatives and their operators. Spec: "Query parameters", filter
 * operators.
 */
export function parseAlternatives(value: string): Alternative[] {
  if (!value.includes('\\')) return value.split('|').map((part) => alternativeOf(plain(part)))
  return splitAtBars(charactersOf(value)).map(alternativeOf)
}

function plain(text: string): Character[] {
  return Array.from({ length: text.length }, (_, at) => ({ text: text.charAt(at), isEscaped: false }))
}

function charactersOf(value: string): Character[] {
  const characters: Character[] = []
  for (let at = 0; at < value.length; at++) {
    const next = value.charAt(at + 1)
    const isEscape = value.charAt(at) === '\\' && ESCAPABLE.has(next)
    characters.push({ text: isEscape ? next : value.charAt(at), isEscaped: isEscape })
    if (isEscape) at++
  }
  return characters
}

function splitAtBars(characters: readonly Character[]): Character[][] {
  const parts: Character[][] = [[]]
  for (const character of characters) {
    if (character.text === '|' && !character.isEscaped) parts.push([])
    else parts.at(-1)?.push(character)
  }
  return parts
}

function alternativeOf(characters: readonly Character[]): Alternative {
  const is = (at: number, text: string) => {
    const character = characters.at(at)
    return character?.text === text && !character.isEscaped
  }
  const rest = (operator: Operator, from: number, to = characters.length): Alternative => {
    const literal = textOf(characters.slice(from, to))
    const word = literal.startsWith('\\') ? literal.slice(1) : ''
    return UNSET.test(word) ? { operator, literal: word, isWord: true } : { operator, literal, isWord: false }
  }
  if (is(0, '!')) return rest('!', 1)
  if (is(0, '<')) return is(1, '=') ? rest('<=', 2) : rest('<', 1)
  if (is(0, '>')) return is(1, '=') ? rest('>=', 2) : rest('>', 1)
  const endsInStar = is(-1, '*')
  if (is(0, '?') && is(1, '*')) return rest('?*', 2, endsInStar && characters.length > 2 ? -1 : undefined)
  if (is(0, '?') && endsInStar) return rest('?', 1, -1)
  return rest('=', 0)
}

function textOf(characters: readonly Character[]): string {
  return characters.map(({ text }) => text).join('')
}
