import type { Wizard } from '../../terminal/wizard/wizard-questions.js'

/** Wizards that create resources, by name; loaded on demand. */
export const wizards: Readonly<Record<string, (() => Promise<Wizard>) | undefined>> = {
  account: async () => (await import('./account-wizard.js')).accountWizard(),
  customer: async () => (await import('./account-wizard.js')).accountWizard('customer'),
  processing_account: async () => (await import('./account-wizard.js')).accountWizard('processing'),
  invoice: async () => (await import('./invoice-wizard.js')).invoiceWizard,
  billing_schedule: async () => (await import('./billing-schedule-wizard.js')).billingScheduleWizard,
}
