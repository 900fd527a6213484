import type { Environment } from '../../../engine/store/database/store.js'
import { amountIn, formatMoney, type Minor } from '../../../schema/money.js'
import type { FormTextField } from '../../html/form.js'
import { WRITE } from './write-html.js'

/** Smallest outgoing amount that must be typed again in the live environment: 500.00. */
const TYPED_FROM: Minor = 50_000

/** The amount that must be typed again; undefined if no amount must be. */
export function typedAmount(environment: Environment, outgoing: Minor | undefined): Minor | undefined {
  return environment === 'live' && outgoing !== undefined && outgoing >= TYPED_FROM ? outgoing : undefined
}

/** The field in which the amount is typed again. */
export function typedField(outgoing: Minor, error?: string): FormTextField {
  return {
    name: WRITE.typed,
    label: 'Type the amount again',
    hint: `${formatMoney(outgoing)} leaves in live.`,
    inputmode: 'decimal',
    autocomplete: 'off',
    error,
    hasFocus: error !== undefined,
  }
}

/** Whether a posted form has the amount typed again. */
export function isTypedAgain(form: ReadonlyMap<string, string> | undefined, amount: Minor): boolean {
  return amountIn(plainAmount(form?.get(WRITE.typed))) === amount
}

/** An amount as pages show it, without the commas between thousands; any other text stays as it is. */
export function plainAmount(text = ''): string {
  return /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(',', '') : text
}
