/** What happens that webhooks hear of. Spec: "Events", trigger values. */
export const TRIGGERS = [
  'reject',
  'refund',
  'void',
  'reversal',
  'automatic_payment',
  'payment',
  'processed',
  'authorized',
  'credit',
  'decline',
  'processing_status',
  'deposit',
  'payment_activation:status',
  'payment_link:status',
] as const
