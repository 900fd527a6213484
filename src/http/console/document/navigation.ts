import type { Role } from '../../../schema/role.js'
import type { IconName } from '../elements/icons.js'

interface NavigationEntry {
  readonly label: string
  /** Path below `/console/{environment}/`; empty for the home page. */
  readonly path: string
  readonly icon: IconName
  /** The least role that sees it; `viewer` unless given. */
  readonly least?: Role
}

interface NavigationGroup {
  /** Heading of the group; undefined for the first group. */
  readonly label?: string
  readonly entries: readonly NavigationEntry[]
}

/** The pages that the navigation leads to. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    entries: [
      { label: 'Home', path: '', icon: 'house' },
      { label: 'Transactions', path: 'transactions', icon: 'arrow-left-right' },
      { label: 'Customers', path: 'customers', icon: 'users' },
      { label: 'Invoices', path: 'invoices', icon: 'receipt-text' },
      { label: 'Schedules', path: 'schedules', icon: 'calendar-clock' },
      { label: 'Links', path: 'links', icon: 'link' },
    ],
  },
  {
    label: 'Money',
    entries: [
      { label: 'Deposits', path: 'deposits', icon: 'landmark' },
      { label: 'Disputes', path: 'disputes', icon: 'scale' },
      { label: 'Exceptions', path: 'exceptions', icon: 'triangle-alert' },
      { label: 'Reports', path: 'reports', icon: 'chart-column' },
    ],
  },
  {
    label: 'Workings',
    entries: [
      { label: 'Webhooks', path: 'webhooks', icon: 'webhook' },
      { label: 'Activity', path: 'activity', icon: 'history' },
      { label: 'Settings', path: 'settings', icon: 'settings', least: 'manager' },
      { label: 'All objects', path: 'objects', icon: 'boxes' },
    ],
  },
]
