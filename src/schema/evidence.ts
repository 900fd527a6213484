/** Maximum bytes of evidence for a dispute, for all files together. No processor accepts more. */
export const MAX_EVIDENCE = 4_500_000
