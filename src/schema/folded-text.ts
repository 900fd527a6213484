/**
 * Text in the form in which searches compare it: composed (NFC), and independent of case in any script, by
 * the full case folding of Unicode. `STRASSE` and `straße` are equal, and so are `é` as one character and
 * as two. Dotless `ı` counts as `i`.
 */
export function foldedText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Lower, upper and lower case again, because `ß` has no single capital letter. Both forms of sigma count
  // as one.
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

const ASCII = /^[\0-\x7f]*$/

/** Character of a composed text, with its folded form. */
export interface FoldedLetter {
  readonly letter: string
  readonly folded: string
}

/**
 * Characters that fold to others, by each character of their folded form: for `s`, for example, `S` and `ß`.
 */
export function lettersFoldedTo(character: string): readonly FoldedLetter[] {
  known ??= byFolded()
  return known.get(character) ?? []
}
/** Table of folded characters, made in about 20 ms by the first search that requires it. */
let known: ReadonlyMap<string, readonly FoldedLetter[]> | undefined

function byFolded(): ReadonlyMap<string, readonly FoldedLetter[]> {
  const letters = new Map<string, readonly FoldedLetter[]>()
  for (let first = 0; first < END; first += BLOCK) {
    const block = String.fromCodePoint(...Array.from({ length: BLOCK }, (_, index) => first + index))
    for (const [letter] of block.matchAll(/\p{Changes_When_Lowercased}|\p{Changes_When_Uppercased}/gu)) {
      const folded = foldedText(letter)
      if (folded === letter || letter.normalize('NFC') !== letter) continue
      const found = { letter, folded }
      for (const character of new Set(folded))
        letters.set(character, [...(letters.get(character) ?? []), found])
    }
  }
  return letters
}

/** End of the first two planes of Unicode, which contain all letters with two cases. */
const END = 0x20000
const BLOCK = 0x1000
