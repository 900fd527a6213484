/** Tone of a status: good, undecided, bad, or no longer of concern. */
export type StatusTone = 'good' | 'open' | 'bad' | 'closed'

const TONES: Readonly<Record<StatusTone, readonly string[]>> = {
  good: ['processed', 'paid', 'active', 'enabled', 'allowed', 'captured', 'batched', 'won'],
  open: [
    'authorized',
    'processing',
    'pending',
    'partially_paid',
    'in_review',
    'incomplete',
    'resubmit',
    'inquiry',
    'under_review',
  ],
  bad: [
    'declined',
    'rejected',
    'overdue',
    'denied',
    'reversed',
    'revoked',
    'action_needed',
    'inactive',
    'needs_response',
    'lost',
    'failed',
  ],
  closed: ['voided', 'refunded', 'disabled'],
}

/** Tone of a status; undefined for other words. */
export function statusTone(status: string): StatusTone | undefined {
  const tones = ['good', 'open', 'bad', 'closed'] as const
  return tones.find((tone) => TONES[tone].includes(status))
}
