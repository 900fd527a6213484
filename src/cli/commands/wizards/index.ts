import type { Wizard } from '../../terminal/wizard/wizard-questions.js'

/** Resources that are created step by step, by their names. Each is loaded when it begins. */
export const wizards: Readonly<Record<string, (() => Promise<Wizard>) | undefined>> = {
  account: async () => (await import('./account.js')).accountWizard(),
  customer: async () => (await import('./account.js')).accountWizard('customer'),
  processing_account: async () => (await import('./account.js')).accountWizard('processing'),
  invoice: async () => (await import('./invoice.js')).invoiceWizard,
  billing_schedule: async () => (await import('./billing-schedule.js')).billingScheduleWizard,
}
