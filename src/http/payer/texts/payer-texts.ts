import type { Language } from '../../../schema/language.js'
import { ENGLISH, type Texts } from './payer-english.js'
import { FRENCH } from './payer-french.js'
import { SPANISH } from './payer-spanish.js'

const TEXTS: Readonly<Record<Language, Texts>> = { en: ENGLISH, es: SPANISH, fr: FRENCH }

export function textsIn(language: Language): Texts {
  return TEXTS[language]
}

type Values = Readonly<Record<string, string>>

const PLACEHOLDER = /\{(\w+)\}/

/** Fills values into the placeholders of a text. */
export function fillText(text: string, values: Values): string {
  return textPieces(text, values)
    .map(({ piece }) => piece)
    .join('')
}

/** The constant pieces of a text, and its values between them. */
export function textPieces(
  text: string,
  values: Values,
): readonly { readonly piece: string; readonly isValue: boolean }[] {
  return text
    .split(PLACEHOLDER)
    .map((piece, index) =>
      index % 2 === 0 ? { piece, isValue: false } : { piece: values[piece] ?? '', isValue: true },
    )
}
