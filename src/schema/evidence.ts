/** The most bytes of evidence about a dispute, all files together, that any processor takes. */
export const MAX_EVIDENCE = 4_500_000
