import { datetime, email, number, one, phone, postalCode, ref, secret, text } from '../schema/field.js'
import { addressForm } from '../schema/form.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Spec: "Legal entity owner". */
export const legalEntityOwner = resource({
  name: 'legal_entity_owner',
  plural: 'legal_entity_owners',
  prefix: 'ownr_',
  summary: 'A person who owns a part of a legal entity.',
  fields: {
    birth_date: datetime({ required: true, isDay: true }),
    city: text({ required: true }),
    email: email({ required: true }),
    full_name: text({ required: true }),
    legal_entity_id: ref('legal_entity', { readonly: true, doc: 'the legal entity owned' }),
    legal_entity: one('legal_entity', {
      by: 'legal_entity_id',
      required: true,
      assigns: true,
      nonDefault: true,
      doc: 'the legal entity that a new owner belongs to, as {"id":"le_…"}',
    }),
    ownership: number({ required: true, min: 0, max: 100, doc: 'equity position, in percent' }),
    phone_number: phone({ required: true }),
    postal_code: postalCode({ required: true }),
    ssn: secret({ required: true, min: 9, max: 9, managedFilter: true, doc: 'social security number' }),
    state_province: text({ required: true }),
    street_address: text({ required: true }),
    title: text({ required: true }),
    type: text(),
    unit_number: text(),
  },
  ownership: [{ kind: 'parent', column: 'legal_entity_id', resource: 'legal_entity' }],
  moves: 'nothing',
  least: 'manager',
  form: [
    { at: 'legal_entity.id', label: 'legal entity' },
    { at: 'full_name', label: 'full name', example: 'Grace Park' },
    { at: 'title', label: 'position', unit: 'as Owner', example: 'Owner' },
    { at: 'ownership', label: 'share of the company', unit: 'in percent', example: '100' },
    { at: 'birth_date', label: 'date of birth', unit: 'YYYY-MM-DD', example: '1980-01-31' },
    { at: 'ssn', label: 'social security number (SSN)', unit: '9 digits' },
    ...addressForm,
    { at: 'phone_number', label: 'phone number' },
    { at: 'email', label: 'email' },
  ],
  seals: RECORD,
  columns: ['id', 'full_name', 'title', 'ownership', 'legal_entity_id'],
  indexes: [['legal_entity_id']],
})
