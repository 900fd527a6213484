import { address, datetime, group } from '../schema/field.js'

/**
 * Step that the payer has to take: the page on which the payer authenticates, and the time at which the page expires.
 */
export const nextAction = group(
  {
    url: address({
      page: 'authenticate',
      shows: 'url',
      beside: 'next_action__expires_at',
      doc: 'the page on which the payer authenticates',
    }),
    expires_at: datetime({
      readonly: true,
      doc: 'when the operation is cancelled, unless the payer has authenticated',
    }),
  },
  { whenSet: true, readonly: true, doc: 'what the payer has to do; shown until it is done' },
)

/** Maximum length of the address to which a payer returns, in characters. */
export const MAX_RETURN_ADDRESS = 2_000
