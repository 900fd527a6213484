/** Cache of the journal's sums for past days, from which reports are made. */
export const reportDays = {
  activity: { unlogged: 'A cache of sums, which can be thrown away' },
  seals: {
    unsealed:
      'Sums of the journal by day: a missing one is computed again, and one with another number of postings is not used',
  },
  columns: {
    id: 'text required',
    zone: 'text required',
    day: 'text required',
    kind: 'text required',
    processing_id: 'text',
    from_account: 'text required',
    to_account: 'text required',
    number: 'integer required',
    amount: 'integer required',
  },
} as const
