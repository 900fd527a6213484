import process from 'node:process'
import { NOTIFICATION_SECRET, openStripeServer, SECRET_KEY } from './stripe/stripe-server.js'

/** The servers of rails' wire formats that may be tried by hand: `npm run rail -- stripe`, until Ctrl-C. */
const RAILS: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  stripe: async () => {
    const { address } = await openStripeServer(() => Date.now())
    return { address, secret_key: SECRET_KEY, notification_secret: NOTIFICATION_SECRET }
  },
}

const start = RAILS[process.argv[2] ?? '']
if (start) process.stdout.write(`${JSON.stringify(await start())}\n`)
else {
  process.stderr.write(`npm run rail -- ${Object.keys(RAILS).join('|')}\n`)
  process.exitCode = 1
}
