import { builtScript } from '../html/built-file.js'

/** The script of payers' pages. */
export const PAYER_SCRIPT = builtScript('payer')
