import { datetime, email, many, oneOf, phone, postalCode, ref, secret, text } from '../schema/field.js'
import { addressForm } from '../schema/form.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Spec: "Legal entity". */
export const legalEntity = resource({
  name: 'legal_entity',
  plural: 'legal_entities',
  prefix: 'le_',
  summary: 'The company or person that is legally responsible for a processing account.',
  fields: {
    business_id: text({ doc: 'business id (CAD)' }),
    city: text({ required: true }),
    contact_email: email({ doc: 'primary contact' }),
    contact_name: text({ doc: 'primary contact' }),
    contact_title: text({ doc: 'primary contact' }),
    country: text({ max: 2, default: 'US', doc: 'ISO 3166 code of the country' }),
    ein: secret({ required: true, min: 9, max: 9, managedFilter: true, doc: 'tax id' }),
    legal_name: text({ required: true }),
    owners: many('legal_entity_owner', { by: 'legal_entity_id', doc: 'legal entity owner objects' }),
    payment_method_id: ref('payment_method', { readonly: true, doc: 'funding method' }),
    phone_number: phone({ required: true }),
    postal_code: postalCode({ required: true }),
    stakeholders: many('stakeholder', { by: 'legal_entity_id', doc: 'people who act for it' }),
    start_date: datetime({ isDay: true, doc: 'when the business started' }),
    state_incorporated: text({ required: true }),
    state_province: text({ required: true }),
    street_address: text({ required: true }),
    type: oneOf(
      [
        'LIMITED_LIABILITY_COMPANY',
        'CORPORATION',
        'PUBLIC_CORPORATION',
        'PARTNERSHIP',
        'GOVERNMENT_AGENCY',
        'ASSOCIATION_ESTATE_TRUST',
        'TAX_EXEMPT_ORGANIZATION',
        'INDIVIDUAL_SOLE_PROPRIETORSHIP',
      ],
      { required: true, doc: 'legal form' },
    ),
    unit_number: text(),
    website: text(),
  },
  ownership: [
    { kind: 'named_by', resource: 'account', column: 'legal_entity_id' },
    { kind: 'named_by', resource: 'payment_method', column: 'legal_entity_id' },
  ],
  moves: 'nothing',
  least: 'manager',
  form: [
    { at: 'legal_name', label: 'legal name of the company', example: 'Corner Shop LLC' },
    { at: 'type', label: 'its legal form' },
    { at: 'ein', label: 'tax id (EIN)', unit: '9 digits' },
    { at: 'state_incorporated', label: 'state of incorporation', unit: 'as NY', example: 'NY' },
    ...addressForm,
    { at: 'phone_number', label: 'phone number' },
    { at: 'website', label: 'website' },
    { at: 'contact_name', label: 'name of the contact' },
    { at: 'contact_email', label: 'email of the contact' },
  ],
  seals: RECORD,
  columns: ['id', 'legal_name', 'type', 'city', 'state_province'],
  indexes: [['legal_name']],
})
