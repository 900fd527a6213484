/** Languages of texts for payers, in the notation of BCP 47. */
export const LANGUAGES = ['en', 'es', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** Language that is used if no other is named. */
export const DEFAULT_LANGUAGE: Language = 'en'
