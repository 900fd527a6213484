/** The languages of what payers read, as BCP 47 writes them. */
export const LANGUAGES = ['en', 'es', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** The language of everything that names no other. */
export const DEFAULT_LANGUAGE: Language = 'en'
