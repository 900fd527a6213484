import { email, flag, group, many, one, oneOf, phone, ref, text } from '../schema/field.js'
import { LANGUAGES } from '../schema/language.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** Maximum length of a logo in base64, in characters: four for three bytes. */
const MAX_LOGO = 140_000

/** Spec: "Org". */
export const org = resource({
  name: 'org',
  plural: 'orgs',
  aliases: ['accounts/orgs'],
  prefix: 'acct_',
  summary: 'An organization that accounts and other organizations belong to.',
  fields: {
    industry: text({ required: true, doc: 'primary processing industry' }),
    name: text({ required: true }),
    org_type: text({ required: true, doc: 'type of organization' }),
    parent_org_id: ref('org', { doc: 'parent org' }),
    phone_number: phone(),
    primary_processing_id: ref('processing_account', { doc: 'primary processing account' }),
    processing_settings_id: ref('processing_settings', { readonly: 'function' }),
    timezone: text({ doc: 'primary timezone, as in America/New_York; days begin and end by it' }),
    processing_settings: one('processing_settings', {
      by: 'processing_settings_id',
      inherits: true,
      exclusive: true,
      undeletable: 'Settings of a processing account or organization are not deleted',
      doc: 'processing settings',
    }),
    logo: text({
      nonDefault: true,
      max: MAX_LOGO,
      doc: 'what payers see above their pages: a data: URL of a PNG, JPEG, GIF or WebP image of up to 100 kB',
    }),
    mail: group(
      {
        receipt: flag({ unset: true, doc: 'whether payers get receipts' }),
        invoice: flag({ unset: true, doc: 'whether customers get new invoices' }),
        reminder: flag({ unset: true, doc: 'whether customers are reminded before the due date' }),
        failed_payment: flag({
          unset: true,
          doc: 'whether customers learn that an automatic payment failed',
        }),
        expiring_card: flag({ unset: true, doc: 'whether customers learn that their card expires' }),
        payment_link: flag({ unset: true, doc: 'whether payment links are mailed where a request says so' }),
        dispute: flag({
          unset: true,
          doc: 'whether disputes are reported to the address for answers',
        }),
        reply_to: email({ doc: 'where answers to mail go' }),
        language: oneOf(LANGUAGES, { doc: 'language of mail, unless a link has another one' }),
      },
      { nonDefault: true, doc: 'what is mailed to payers, while the operator has mail on' },
    ),
    account_access: many('account_access', {
      by: 'org_id',
      doc: 'processing accounts that the organization may reach',
    }),
  },
  ownership: [{ kind: 'names', column: 'primary_processing_id' }],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  restricts: { DELETE: 'An organization that accounts or organizations belong to is not deleted' },
  columns: ['id', 'name', 'org_type', 'industry', 'timezone', 'created_at'],
  indexes: [['name'], ['parent_org_id'], ['primary_processing_id'], ['processing_settings_id']],
})
