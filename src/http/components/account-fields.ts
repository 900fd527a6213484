import type { FormChoice, FormTextField } from '../html/form.js'

/** A field of the set-up of a processing account. */
export interface AccountField extends Omit<FormTextField, 'value' | 'error' | 'hasFocus' | 'problems'> {
  /** Path of the attribute in the body, which is the name of the field as well. */
  readonly name: string
  /** Whether its value is never sent back to the browser: tax and identity numbers, and account numbers. */
  readonly isSecret?: true
  /** The values to choose from. */
  readonly options?: readonly FormChoice[]
}

export interface AccountSection {
  readonly title: string
  readonly fields: readonly AccountField[]
}

const NUMBER = { isSecret: true, inputmode: 'numeric', autocomplete: 'off' } as const

const BUSINESS: AccountSection = {
  title: 'Your business',
  fields: [
    { name: 'name', label: 'Name that customers know', autocomplete: 'organization' },
    { name: 'processing.industry', label: 'What it sells', hint: 'As in groceries', autocomplete: 'off' },
    { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' },
    { name: 'phone_number', label: 'Phone number', type: 'tel', inputmode: 'tel', autocomplete: 'tel' },
  ],
}

const FORMS: readonly FormChoice[] = [
  { value: 'LIMITED_LIABILITY_COMPANY', label: 'Limited liability company' },
  { value: 'CORPORATION', label: 'Corporation' },
  { value: 'PUBLIC_CORPORATION', label: 'Public corporation' },
  { value: 'PARTNERSHIP', label: 'Partnership' },
  { value: 'INDIVIDUAL_SOLE_PROPRIETORSHIP', label: 'Sole proprietorship' },
  { value: 'TAX_EXEMPT_ORGANIZATION', label: 'Tax-exempt organization' },
  { value: 'ASSOCIATION_ESTATE_TRUST', label: 'Association, estate or trust' },
  { value: 'GOVERNMENT_AGENCY', label: 'Government agency' },
]

const ENTITY: AccountSection = {
  title: 'Legal entity',
  fields: [
    { name: 'legal_entity.legal_name', label: 'Legal name', autocomplete: 'off' },
    { name: 'legal_entity.type', label: 'Legal form', options: FORMS },
    { ...NUMBER, name: 'legal_entity.ein', label: 'Tax id (EIN)', hint: 'Nine digits', maxlength: 12 },
    {
      name: 'legal_entity.phone_number',
      label: 'Phone number',
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel',
    },
    ...addressFields('legal_entity'),
    {
      name: 'legal_entity.state_incorporated',
      label: 'State of incorporation',
      hint: 'As in NY',
      autocomplete: 'off',
    },
  ],
}

const OWNER: AccountSection = {
  title: 'Owner',
  fields: [
    { name: 'legal_entity.owners.0.full_name', label: 'Full name', autocomplete: 'name' },
    {
      name: 'legal_entity.owners.0.title',
      label: 'Position',
      hint: 'As in Owner',
      autocomplete: 'organization-title',
    },
    {
      name: 'legal_entity.owners.0.ownership',
      label: 'Share of the business in percent',
      inputmode: 'decimal',
      autocomplete: 'off',
      isShort: true,
    },
    {
      name: 'legal_entity.owners.0.birth_date',
      label: 'Date of birth',
      placeholder: 'YYYY-MM-DD',
      autocomplete: 'bday',
      isShort: true,
    },
    {
      ...NUMBER,
      name: 'legal_entity.owners.0.ssn',
      label: 'Social security number (SSN)',
      hint: 'Nine digits',
      maxlength: 12,
    },
    {
      name: 'legal_entity.owners.0.email',
      label: 'E-mail address of the owner',
      type: 'email',
      autocomplete: 'email',
    },
    {
      name: 'legal_entity.owners.0.phone_number',
      label: 'Phone number of the owner',
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel',
    },
    ...addressFields('legal_entity.owners.0'),
  ],
}

const BANK: AccountSection = {
  title: 'Bank account for deposits',
  fields: [
    { name: 'payment_methods.0.account_holder', label: 'Name on the account', autocomplete: 'off' },
    {
      ...NUMBER,
      name: 'payment_methods.0.bank_account.routing_number',
      label: 'Routing number',
      hint: 'Nine digits, at the bottom left of a check',
      maxlength: 11,
    },
    {
      ...NUMBER,
      name: 'payment_methods.0.bank_account.account_number',
      label: 'Account number',
      maxlength: 20,
    },
    {
      name: 'payment_methods.0.bank_account.account_type',
      label: 'Account type',
      options: [
        { value: 'checking', label: 'Checking' },
        { value: 'savings', label: 'Savings' },
      ],
    },
    {
      name: 'payment_methods.0.bank_account.account_class',
      label: 'Whose account it is',
      options: [
        { value: 'business', label: 'The business' },
        { value: 'personal', label: 'A person' },
      ],
    },
  ],
}

function addressFields(of: string): readonly AccountField[] {
  return [
    { name: `${of}.street_address`, label: 'Street and number', autocomplete: 'address-line1' },
    { name: `${of}.city`, label: 'City', autocomplete: 'address-level2' },
    {
      name: `${of}.state_province`,
      label: 'State',
      hint: 'As in NY',
      autocomplete: 'address-level1',
      isShort: true,
    },
    {
      name: `${of}.postal_code`,
      label: 'Postal code',
      autocomplete: 'postal-code',
      maxlength: 12,
      isShort: true,
    },
  ]
}

/**
 * The sections of the form. The sections of the legal entity are left out if the client key names an existing legal
 * entity.
 */
export function accountSections(hasEntity: boolean): readonly AccountSection[] {
  return hasEntity ? [BUSINESS, BANK] : [BUSINESS, ENTITY, OWNER, BANK]
}
