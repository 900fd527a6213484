/** Field of a form: its label, its format, and whether it is necessary in practice. */
export interface FormField {
  /** Dotted path of the attribute, such as `card.expiry`. */
  readonly at: string
  readonly label: string
  /** Unit or format of the value, such as `MM/YY`. */
  readonly unit?: string
  readonly example?: string
  /** Value of another attribute that the field requires; with other values it does not apply. */
  readonly with?: { readonly at: string; readonly is: string }
  /**
   * Attributes that can replace the field; without any of them, an object without the field is refused or
   * useless. Fields that the declaration requires are not marked.
   */
  readonly needed?: { readonly unless: readonly string[] }
}

/** Mark of a field that is always necessary. */
export const NEEDED = { unless: [] } as const

/** Label with the unit, as a prompt shows it. */
export function promptedLabel({ label, unit }: FormField): string {
  return unit === undefined ? label : `${label}, ${unit}`
}

/** Label with the unit, or else with the example, as help shows it. */
export function helpLabel(field: FormField): string {
  const { label, unit, example } = field
  return unit === undefined && example !== undefined ? `${label}, as ${example}` : promptedLabel(field)
}

/** Form inside a group or nested object of this name. */
export function formInside(name: string, form: readonly FormField[]): readonly FormField[] {
  const inside = (at: string) => `${name}.${at}`
  return form.map((field) => ({
    ...field,
    at: inside(field.at),
    ...(field.with && { with: { ...field.with, at: inside(field.with.at) } }),
    ...(field.needed && { needed: { unless: field.needed.unless.map(inside) } }),
  }))
}

/** Fields of a postal address, in the order on an envelope. */
export const addressForm: readonly FormField[] = [
  { at: 'street_address', label: 'street and number', example: '1 Main Street' },
  { at: 'city', label: 'city', example: 'Albany' },
  { at: 'state_province', label: 'state', unit: 'as NY', example: 'NY' },
  { at: 'postal_code', label: 'postal code' },
]
