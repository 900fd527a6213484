/** A field as people fill it in: its label, its format, and whether it is needed in practice. */
export interface FormField {
  /** Dotted path of the attribute, as `card.expiry`. */
  readonly at: string
  readonly label: string
  /** Unit or format of the value, as `MM/YY`. */
  readonly unit?: string
  readonly example?: string
  /** Value of another attribute that the field belongs to; with other values it does not apply. */
  readonly with?: { readonly at: string; readonly is: string }
  /**
   * Whether an object without the field is refused or useless, unless one of these attributes replaces it. Fields that
   * the declaration requires need no such mark.
   */
  readonly needed?: { readonly unless: readonly string[] }
}

/** Mark of a field that is always needed. */
export const NEEDED = { unless: [] } as const

/** Label with the unit, or else with the example, as a prompt shows it. */
export function promptedLabel({ label, unit, example }: FormField): string {
  const format = unit ?? (example === undefined ? undefined : `as ${example}`)
  return format === undefined ? label : `${label}, ${format}`
}

/** Label with unit and example, as help shows it. */
export function helpLabel({ label, unit, example }: FormField): string {
  return [label, unit, example === undefined ? undefined : `as ${example}`]
    .filter((part) => part !== undefined)
    .join(', ')
}

/** A form inside of a group or nested object of this name. */
export function formInside(name: string, form: readonly FormField[]): readonly FormField[] {
  const inside = (at: string) => `${name}.${at}`
  return form.map((field) => ({
    ...field,
    at: inside(field.at),
    ...(field.with && { with: { ...field.with, at: inside(field.with.at) } }),
    ...(field.needed && { needed: { unless: field.needed.unless.map(inside) } }),
  }))
}

/** Fields of a postal address, in the order of an envelope. */
export const addressForm: readonly FormField[] = [
  { at: 'street_address', label: 'street and number', example: '1 Main Street' },
  { at: 'city', label: 'city', example: 'Albany' },
  { at: 'state_province', label: 'state', example: 'NY' },
  { at: 'postal_code', label: 'postal code' },
]
