import type { Role } from './role.js'

/**
 * Fields of a resource: a closed union of kinds. After adding a kind, every derivation (validation,
 * columns, wire, filters, flags, OpenAPI, reference) fails to compile until it handles the kind.
 *
 * Fields are pure data, so that commands can be derived from declarations without loading the code that
 * they use.
 */

/** Flags of a field, as defined in the spec's section "Conventions". */
export interface FieldFlags {
  /** Must be supplied on create, and cannot be set to null later. */
  readonly required?: true
  /** Not settable by clients. The qualifiers are those of the spec; docs/interface explains them. */
  readonly readonly?: true | 'update' | 'function' | 'method' | 'SessionPermission'
  /** Settable once later, if the value may only be set on create (`update`) but was not set then. */
  readonly once?: true
  /** Settable only with the permission `manage`; read-only for others. */
  readonly manage?: true
  /** Not in a response unless named in `fields`. */
  readonly nonDefault?: true
  /** Left out of a response if it has no value. */
  readonly whenSet?: true
  /** Shown by default, unlike other nested lists; the spec's examples show it. */
  readonly shown?: true
  /**
   * Kept in activity with its values before and after a change, as amounts, states and references are. It is
   * set for prices, and for attributes that grant rights.
   */
  readonly logged?: true
  /** Accepted and used once, never stored or shown (a card's CVV). */
  readonly transient?: true
  /** Value of a new object if the client sends none, as the API writes it. */
  readonly default?: string | number | boolean
  /** Description of the field, from the spec. */
  readonly doc?: string
}

/** Kind of the vault's values in a column; both are renewed when keys are rotated. */
export type VaultContent = 'sealed' | 'number_hash'

export interface TextField extends FieldFlags {
  readonly kind: 'text'
  /** Maximum length in characters; 1,000 by default. */
  readonly max?: number
  /** Kind of value made by the vault: a text encrypted for this column, or the keyed hash of a number. */
  readonly vault?: VaultContent
  /**
   * Columns of the same table that an encrypted text is bound to; it can be decrypted only with their
   * values.
   */
  readonly boundTo?: readonly string[]
}
export interface EmailField extends FieldFlags {
  readonly kind: 'email'
}
export interface PhoneField extends FieldFlags {
  readonly kind: 'phone'
}
export interface PostalCodeField extends FieldFlags {
  readonly kind: 'postal_code'
}
/** Digits written as text; blanks and dashes in the input are dropped. */
export interface DigitsField extends FieldFlags {
  readonly kind: 'digits'
  readonly min?: number
  readonly max?: number
}
/** Digits that are stored encrypted, shown masked and filtered by a keyed hash. */
export interface SecretField extends FieldFlags {
  readonly kind: 'secret'
  readonly min: number
  readonly max: number
  readonly check?: 'card' | 'routing'
  /** Whether filters on the field need the permission `manage`. */
  readonly managedFilter?: true
}
/** Expiry of a card, `MM/YY`. */
export interface ExpiryField extends FieldFlags {
  readonly kind: 'expiry'
}
/** Amount: minor units inside, a decimal number on the wire. */
export interface MoneyField extends FieldFlags {
  readonly kind: 'money'
  readonly sign?: 'positive' | 'any'
}
/**
 * Decimal number, stored exactly as an integer of ten-thousandths. A percentage is thus stored in parts per
 * million.
 */
export interface NumberField extends FieldFlags {
  readonly kind: 'number'
  readonly min?: number
  readonly max?: number
}
export interface IntegerField extends FieldFlags {
  readonly kind: 'integer'
  readonly min?: number
  readonly max?: number
  /** Unit of the number, which is shown to people as a duration. */
  readonly unit?: 'seconds'
  /** Words that are shown to people in place of 0, if 0 is not a quantity. */
  readonly zero?: string
}
/** True or false; 1 or 0 inside. */
export interface FlagField extends FieldFlags {
  readonly kind: 'flag'
  /** Value while none is stored, if the field has no default. */
  readonly unset?: boolean
}
export interface OneOfField<V extends readonly string[] = readonly string[]> extends FieldFlags {
  readonly kind: 'one_of'
  readonly values: V
  /** Values that clients may give a new object, if the service alone sets the others. */
  readonly creatable?: readonly V[number][]
}
/** Id of another object. */
export interface RefField extends FieldFlags {
  readonly kind: 'ref'
  readonly to: string
}
/** Id of the object itself. */
export interface IdField extends FieldFlags {
  readonly kind: 'id'
}
/** Value that is the same for every object of the resource (`object`). */
export interface ConstantField extends FieldFlags {
  readonly kind: 'constant'
  readonly value: string
}
/** Another name for a field of the same resource; read-only and filterable. */
export interface AliasField extends FieldFlags {
  readonly kind: 'alias'
  readonly of: readonly string[]
}
export interface DateField extends FieldFlags {
  readonly kind: 'date'
}
export interface DatetimeField extends FieldFlags {
  readonly kind: 'datetime'
  /** Whether the field means a day, such as a birth date; errors and prompts then ask for a day. */
  readonly isDay?: true
}
export interface JsonField extends FieldFlags {
  readonly kind: 'json'
  /** Whether the texts `true` and `false` inside mean booleans, as forms send them. */
  readonly flags?: true
  /** Name of the resource whose ids the field lists. */
  readonly idsOf?: string
  /** Maximum characters of the JSON text, if the JSON contains files. */
  readonly max?: number
}
/**
 * Value computed from the row's columns and the current time, never stored. The first case whose tests all
 * hold gives the value. It can be filtered and sorted like a stored value, and is always current.
 */
export interface DerivedField<V extends readonly string[] = readonly string[]> extends FieldFlags {
  readonly kind: 'derived'
  readonly values: V
  readonly cases: readonly DerivedCase[]
  readonly otherwise: string
}
export interface DerivedCase {
  readonly is: string
  readonly when: readonly DerivedTest[]
}
/** Test of a column against a number or the current time (a datetime). Null equals neither. */
export interface DerivedTest {
  readonly column: string
  /** `unset` holds if there is no value. */
  readonly operator: '=' | '>' | '<=' | 'unset'
  readonly value?: number | 'now'
}
/**
 * Content of a file: a part of a multipart form, or a `data:` URL. It is always transient and never stored
 * in the row; the resource's rule stores it elsewhere.
 */
export interface FileField extends FieldFlags {
  readonly kind: 'file'
}
/**
 * Address that opens a page about the object without a key. It is made when it is shown and never stored.
 * Its signature prevents guessing; after `days` a new address replaces it.
 */
export interface AddressField extends FieldFlags {
  readonly kind: 'address'
  /** First part of the address's path. */
  readonly page: string
  /** Whether the address has no signature and is open to everyone who knows the id. */
  readonly open?: true
  /** Last part of an open address, after the id. */
  readonly below?: string
  /**
   * Whether people scan the address from a screen or paper. Its QR code is at the address with `.qrcode.svg`
   * before the query.
   */
  readonly scanned?: true
  /** Minimum number of days for which the address can be opened; forever if omitted. */
  readonly days?: number
  /** Column that must have a value; otherwise the object has no address. */
  readonly beside?: string
  /** Whether the field shows the address itself, or the datetime when the address expires. */
  readonly shows: 'url' | 'end'
}
/** Fields of the same row that the API shows as one object. */
export interface GroupField<F extends Fields = Fields> extends FieldFlags {
  readonly kind: 'group'
  readonly fields: F
}
/** List of plain objects without ids, stored in the row itself. */
export interface RowsField<F extends Fields = Fields> extends FieldFlags {
  readonly kind: 'rows'
  readonly fields: F
}
/** Related object; `by` is the column of this resource with its id. */
export interface OneField extends FieldFlags {
  readonly kind: 'one'
  readonly to: string
  readonly by: string
  /** Reason why the object is never deleted through this relation, given in the 403 answer. */
  readonly undeletable?: string
  /** Whether an object that replaces another one inherits the attributes that are not sent. */
  readonly inherits?: true
  /** Whether sending the object sets its otherwise read-only reference, on create. */
  readonly assigns?: true
  /**
   * Whether a deleted object is still shown here, masked and with `deleted: true`, because money refers to
   * it.
   */
  readonly lasting?: true
  /** Whether a related object belongs to one object only, so that it cannot be attached to another one. */
  readonly exclusive?: true
}
/** List of related objects; `by` is their column with this object's id. */
export interface ManyField extends FieldFlags {
  readonly kind: 'many'
  readonly to: string
  readonly by: string
  /** Whether the newest is shown first, as in logs; other lists are in the order of creation. */
  readonly newestFirst?: true
  /** Attributes of a new object that the client may omit, as the API writes them. */
  readonly preset?: { readonly [attribute: string]: string }
  /** Minimum role for creating an object here; by default that of its resource. */
  readonly least?: Role
}

export type Field =
  | TextField
  | EmailField
  | PhoneField
  | PostalCodeField
  | DigitsField
  | SecretField
  | ExpiryField
  | MoneyField
  | NumberField
  | IntegerField
  | FlagField
  | OneOfField
  | RefField
  | IdField
  | ConstantField
  | AliasField
  | DateField
  | DatetimeField
  | JsonField
  | DerivedField
  | FileField
  | AddressField
  | GroupField
  | RowsField
  | OneField
  | ManyField

export type Fields = { readonly [name: string]: Field }

/** Field with one value of its own, in one column of the row. */
export type ValueField = Exclude<
  Field,
  GroupField | OneField | ManyField | AliasField | ConstantField | DerivedField | AddressField
>

/**
 * Field with its literal declaration, from which types are derived; `NoInfer` keeps the context from
 * changing it.
 */
type With<K, O> = { readonly kind: K } & NoInfer<O>

export const text = <const O extends Omit<TextField, 'kind'> = object>(o?: O): With<'text', O> =>
  make('text', o)
export const email = <const O extends FieldFlags = object>(o?: O): With<'email', O> => make('email', o)
export const phone = <const O extends FieldFlags = object>(o?: O): With<'phone', O> => make('phone', o)
export const postalCode = <const O extends FieldFlags = object>(o?: O): With<'postal_code', O> =>
  make('postal_code', o)
export const digits = <const O extends Omit<DigitsField, 'kind'> = object>(o?: O): With<'digits', O> =>
  make('digits', o)
export const secret = <const O extends Omit<SecretField, 'kind'>>(o: O): With<'secret', O> => ({
  kind: 'secret',
  ...o,
})
export const expiry = <const O extends FieldFlags = object>(o?: O): With<'expiry', O> => make('expiry', o)
export const money = <const O extends Omit<MoneyField, 'kind'> = object>(o?: O): With<'money', O> =>
  make('money', o)
export const number = <const O extends Omit<NumberField, 'kind'> = object>(o?: O): With<'number', O> =>
  make('number', o)
export const integer = <const O extends Omit<IntegerField, 'kind'> = object>(o?: O): With<'integer', O> =>
  make('integer', o)
export const flag = <const O extends Omit<FlagField, 'kind'> = object>(o?: O): With<'flag', O> =>
  make('flag', o)
export const date = <const O extends FieldFlags = object>(o?: O): With<'date', O> => make('date', o)
export const datetime = <const O extends Omit<DatetimeField, 'kind'> = object>(o?: O): With<'datetime', O> =>
  make('datetime', o)
export const json = <const O extends Omit<JsonField, 'kind'> = object>(o?: O): With<'json', O> =>
  make('json', o)

export const oneOf = <
  const V extends readonly string[],
  const O extends Omit<OneOfField<V>, 'kind' | 'values'> = object,
>(
  values: V,
  o?: O,
): With<'one_of', O> & { readonly values: V } => ({ ...make('one_of', o), values })

export const ref = <const O extends FieldFlags>(
  to: string,
  o?: O,
): With<'ref', O> & { readonly to: string } => ({
  ...make('ref', o),
  to,
})
export const alias = <const O extends FieldFlags = object>(
  of: readonly string[],
  o?: O,
): With<'alias', O> & { readonly of: readonly string[] } => ({ ...make('alias', o), of })

export const derived = <
  const V extends readonly string[],
  const O extends Omit<DerivedField, 'kind' | 'values' | 'readonly'>,
>(
  values: V,
  o: O,
): With<'derived', O> & { readonly values: V; readonly readonly: true } => ({
  ...make('derived', o),
  values,
  readonly: true,
})

export const file = <const O extends Omit<FieldFlags, 'transient'> = object>(
  o?: O,
): With<'file', O> & { readonly transient: true } => ({ ...make('file', o), transient: true })

/** Declares an address, or the time when it expires. */
export const address = <const O extends Omit<AddressField, 'kind' | 'readonly'>>(
  o: O,
): With<'address', O> & { readonly readonly: true } => ({ ...make('address', o), readonly: true })

export const group = <const F extends Fields, const O extends FieldFlags = object>(
  fields: F,
  o?: O,
): With<'group', O> & { readonly fields: F } => ({ ...make('group', o), fields })

export const rows = <const F extends Fields, const O extends FieldFlags = object>(
  fields: F,
  o?: O,
): With<'rows', O> & { readonly fields: F } => ({ ...make('rows', o), fields })

export const one = <const O extends Omit<OneField, 'kind' | 'to'>>(
  to: string,
  o: O,
): With<'one', O> & { readonly to: string } => ({ kind: 'one', to, ...o })

export const many = <const O extends Omit<ManyField, 'kind' | 'to'>>(
  to: string,
  o: O,
): With<'many', O> & { readonly to: string } => ({ kind: 'many', to, ...o })

function make<K extends string, O>(kind: K, options?: O): With<K, O>
function make(kind: string, options?: object): object {
  return { kind, ...options }
}

/** Whether a relation still shows a deleted object. */
export function isLasting(field: OneField | ManyField): boolean {
  return field.kind === 'one' && field.lasting === true
}

/** Whether a field has one value of its own (in one column, or in none if it is transient). */
export function isValueField(field: Field): field is ValueField {
  switch (field.kind) {
    case 'group':
    case 'one':
    case 'many':
    case 'alias':
    case 'constant':
    case 'derived':
    case 'address':
      return false
    default:
      return true
  }
}
