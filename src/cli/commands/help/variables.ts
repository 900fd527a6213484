/** An environment variable. */
export interface Variable {
  readonly variable: string
  readonly flag?: string
  readonly meaning: string
}

/** The variables that no flag declares. */
export const SETTINGS: readonly Variable[] = [
  { variable: 'PAYCTL_HOME', meaning: 'folder of databases, keys and profiles' },
  { variable: 'PAYCTL_DATABASE_URL', meaning: 'postgres://…: PostgreSQL instead of files in that folder' },
  {
    variable: 'PAYCTL_PUBLIC_URL',
    flag: '--public-url',
    meaning: 'address that people reach pages and files at',
  },
  { variable: 'PAYCTL_KEY', meaning: 'the secret key for the server' },
  { variable: 'PAYCTL_TIMEOUT', meaning: 'seconds until a server must have answered (120)' },
  { variable: 'PAYCTL_RETRIES', meaning: 'how often a request to a server is sent again (4)' },
  { variable: 'PAYCTL_CARD_NUMBER', flag: '--card', meaning: 'the number of a card, where one is needed' },
  { variable: 'PAYCTL_CARD_CODE', flag: '--card-code', meaning: 'the code on its back' },
  { variable: 'PAYCTL_PASSPHRASE', meaning: 'the passphrase with which keys are exported and imported' },
  { variable: 'PAYCTL_GATEWAY_LOOPBACK', meaning: '1 lets gateways be on this machine, for tests' },
  { variable: 'PAYCTL_DEBUG', meaning: 'shows where something unexpected happened' },
  { variable: 'PAGER', meaning: 'program for what is longer than the terminal (less); empty or cat: none' },
  { variable: 'NO_COLOR', flag: '--no-color', meaning: 'no colours' },
  { variable: 'FORCE_COLOR', meaning: 'colours, also when piped' },
  { variable: 'CI', meaning: 'no prompts and no pager' },
]
