import { email, one, oneOf, phone, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Spec: "Legal entity", nested `/legal_entities/{id}/stakeholders`; its fields are not shown there. */
export const stakeholder = resource({
  name: 'stakeholder',
  plural: 'stakeholders',
  prefix: 'stkh_',
  summary: 'A person who acts for a legal entity without owning it.',
  fields: {
    legal_entity_id: ref('legal_entity', { required: true, readonly: 'update', doc: 'the legal entity' }),
    legal_entity: one('legal_entity', {
      by: 'legal_entity_id',
      nonDefault: true,
      doc: 'the legal entity object',
    }),
    full_name: text({ required: true }),
    role: oneOf(['representative', 'control_person', 'director', 'contact'], {
      required: true,
      doc: 'what the person does for it',
    }),
    title: text(),
    email: email(),
    phone_number: phone(),
  },
  ownership: [{ kind: 'parent', column: 'legal_entity_id', resource: 'legal_entity' }],
  moves: 'nothing',
  least: 'manager',
  seals: RECORD,
  columns: ['id', 'full_name', 'role', 'title', 'email'],
  indexes: [['legal_entity_id']],
})
