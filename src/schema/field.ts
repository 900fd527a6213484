import type { Role } from './role.js'

/**
 * What a field of a resource is. A closed union of kinds: adding one makes every derivation
 * (validation, columns, wire, filters, flags, OpenAPI, reference) fail to compile until it answers for it.
 *
 * Pure data, so that commands can be derived from declarations without loading what they will use.
 */

/** Flags of a field, in the words of the spec's section "Conventions". */
export interface FieldFlags {
  /** Must be supplied on create, and cannot be set to nothing later. */
  readonly required?: true
  /** Not settable by the client; the qualifiers are the spec's, their meaning is in docs/decisions. */
  readonly readonly?: true | 'update' | 'function' | 'method' | 'SessionPermission'
  /** A value that is set on create only (`update`) and was not, may be set later, once. */
  readonly once?: true
  /** Settable only by who holds the permission `manage`; for others it is read-only. */
  readonly manage?: true
  /** Not in a response unless named in `fields`. */
  readonly nonDefault?: true
  /** Left out of a response where it has no value. */
  readonly whenSet?: true
  /** Nested lists are not shown unless named; this one is (the spec's examples show it at once). */
  readonly shown?: true
  /**
   * Activity keeps its values before and after a change, as it does of amounts, states and references: it is a price, or
   * says who may do what.
   */
  readonly logged?: true
  /** Accepted and used once, never stored, never shown (a card's CVV). */
  readonly transient?: true
  /** Value of a new object when the client sends none, as the interface would write it. */
  readonly default?: string | number | boolean
  /** The spec's description. */
  readonly doc?: string
}

/** What of the vault a column holds: both are made again when its keys are rotated. */
export type VaultContent = 'sealed' | 'number_hash'

export interface TextField extends FieldFlags {
  readonly kind: 'text'
  /** Longest text in characters; 1,000 by default. */
  readonly max?: number
  /** What the vault made: a text that is sealed for this column, or the keyed hash of a number. */
  readonly vault?: VaultContent
  /** Columns of the same table that a sealed text holds for: it opens only beside their values. */
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
/** Digits that are sealed at rest, shown masked and filtered by a keyed hash. */
export interface SecretField extends FieldFlags {
  readonly kind: 'secret'
  readonly min: number
  readonly max: number
  readonly check?: 'card' | 'routing'
  /** Whether filters on it need the permission `manage`. */
  readonly managedFilter?: true
}
/** A card's expiry, `MM/YY`. */
export interface ExpiryField extends FieldFlags {
  readonly kind: 'expiry'
}
/** An amount; minor units inside, a decimal number on the wire. */
export interface MoneyField extends FieldFlags {
  readonly kind: 'money'
  readonly sign?: 'positive' | 'any'
}
/** A decimal number; stored exactly as an integer of ten-thousandths. A percentage is thus parts per million. */
export interface NumberField extends FieldFlags {
  readonly kind: 'number'
  readonly min?: number
  readonly max?: number
}
export interface IntegerField extends FieldFlags {
  readonly kind: 'integer'
  readonly min?: number
  readonly max?: number
  /** Unit of the number; people read it as a duration. */
  readonly unit?: 'seconds'
  /** Words that people read instead of 0, where 0 is not a number of anything. */
  readonly zero?: string
}
/** True or false; 1 or 0 inside. */
export interface FlagField extends FieldFlags {
  readonly kind: 'flag'
  /** What it is as long as nothing is stored, if it has no default that says so. */
  readonly unset?: boolean
}
export interface OneOfField<V extends readonly string[] = readonly string[]> extends FieldFlags {
  readonly kind: 'one_of'
  readonly values: V
  /** The values that a new object may have, where the service alone makes the others. */
  readonly creatable?: readonly V[number][]
}
/** The id of another object. */
export interface RefField extends FieldFlags {
  readonly kind: 'ref'
  readonly to: string
}
/** The object's own id. */
export interface IdField extends FieldFlags {
  readonly kind: 'id'
}
/** The same value for every object of the resource (`object`). */
export interface ConstantField extends FieldFlags {
  readonly kind: 'constant'
  readonly value: string
}
/** Another name for a field of the same resource, read-only and filterable. */
export interface AliasField extends FieldFlags {
  readonly kind: 'alias'
  readonly of: readonly string[]
}
export interface DateField extends FieldFlags {
  readonly kind: 'date'
}
export interface DatetimeField extends FieldFlags {
  readonly kind: 'datetime'
  /** Whether it is the beginning of a day, as a birth date: errors and prompts then ask for a day. */
  readonly isDay?: true
}
export interface JsonField extends FieldFlags {
  readonly kind: 'json'
  /** The texts `true` and `false` inside mean booleans, as forms write them. */
  readonly flags?: true
  /** Name of the resource whose ids it lists. */
  readonly idsOf?: string
  /** The most characters of its text, where it holds files. */
  readonly max?: number
}
/**
 * A value that follows from the row's own columns and from now, never stored: the first case whose every test holds.
 * It filters and sorts like a stored one and cannot be stale.
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
/** A column compared with a number, or with the present moment (a datetime); nothing is neither. */
export interface DerivedTest {
  readonly column: string
  /** `unset` holds where there is no value. */
  readonly operator: '=' | '>' | '<=' | 'unset'
  readonly value?: number | 'now'
}
/**
 * The content of a file, never stored in the row: a part of a multipart form, or a `data:` URL. Always transient; the
 * resource's rule keeps it elsewhere.
 */
export interface FileField extends FieldFlags {
  readonly kind: 'file'
}
/**
 * An address that opens something of the object without a key. Made when it is shown, never
 * stored: signed, so that nobody guesses it, and after `days` another one takes its place.
 */
export interface AddressField extends FieldFlags {
  readonly kind: 'address'
  /** The first part of its path. */
  readonly page: string
  /** For anybody who knows the id: it has no signature. */
  readonly open?: true
  /** Of an open one, what follows the id. */
  readonly below?: string
  /** People scan it from a screen or paper: its QR code is at the address with `.qrcode.svg` before the query. */
  readonly scanned?: true
  /** For how long it can be opened at least; for ever unless given. */
  readonly days?: number
  /** Column without whose value there is no address. */
  readonly beside?: string
  /** The address itself, or when it ends (a datetime). */
  readonly shows: 'url' | 'end'
}
/** Fields of the same row that the interface shows as one object. */
export interface GroupField<F extends Fields = Fields> extends FieldFlags {
  readonly kind: 'group'
  readonly fields: F
}
/** A list of plain objects without ids, kept in the row itself. */
export interface RowsField<F extends Fields = Fields> extends FieldFlags {
  readonly kind: 'rows'
  readonly fields: F
}
/** One related object; `by` is the column of this resource that holds its id. */
export interface OneField extends FieldFlags {
  readonly kind: 'one'
  readonly to: string
  readonly by: string
  /** Why the object is never deleted by this way: 403 with this reason. */
  readonly undeletable?: string
  /** One that replaces another has of it what is not sent. */
  readonly inherits?: true
  /** It is what gives its read-only reference, when the object is created. */
  readonly assigns?: true
  /** What money names stays readable: deleted, the object is still shown here, masked, with `deleted: true`. */
  readonly lasting?: true
  /** It belongs to one object only: one that another object names is not put in its place. */
  readonly exclusive?: true
}
/** Many related objects; `by` is the column of theirs that holds this object's id. */
export interface ManyField extends FieldFlags {
  readonly kind: 'many'
  readonly to: string
  readonly by: string
  /** Shown with the newest first, as logs are; others are in the order in which they were made. */
  readonly newestFirst?: true
  /** Attributes of a new object that the client leaves out, as the interface writes them. */
  readonly preset?: { readonly [attribute: string]: string }
  /** The least role that may make one here; that of its resource unless given. */
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

/** A field that holds one value of its own, in one column of the row. */
export type ValueField = Exclude<
  Field,
  GroupField | OneField | ManyField | AliasField | ConstantField | DerivedField | AddressField
>

/** A field as declared, literally: types are derived from it, so nothing may be inferred from where it stands. */
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

/** An address, and what says when it ends. */
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

/** Whether what is deleted is still shown by a relation. */
export function isLasting(field: OneField | ManyField): boolean {
  return field.kind === 'one' && field.lasting === true
}

/** Whether a field holds one value of its own (in one column, or none when it is transient). */
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
