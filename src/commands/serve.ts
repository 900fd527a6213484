import { once } from 'node:events'
import process from 'node:process'
import { integer, option, string } from '@oclif/core/flags'
import { PayctlCommand } from '../terminal/command.js'
import { openLocalApp } from '../terminal/local-client.js'

export class Serve extends PayctlCommand {
  static override summary = 'serve both environments over HTTP until interrupted'
  static override usage = 'serve [--host <host>] [--port <port>]'
  static override examples = ['payctl serve', 'payctl serve --host 0.0.0.0 --port 8080']
  static override flags = {
    host: string({
      default: '127.0.0.1',
      env: 'PAYCTL_HOST',
      summary: 'address to listen on',
      helpValue: '<host>',
    }),
    port: integer({
      default: 4242,
      min: 0,
      max: 65_535,
      env: 'PAYCTL_PORT',
      summary: 'port to listen on; 0 takes a free one',
      helpValue: '<number>',
    }),
    'log-level': option({
      options: ['silent', 'error', 'warn', 'info', 'debug'] as const,
      default: 'warn',
      env: 'PAYCTL_LOG_LEVEL',
      summary: 'what is logged on stderr; requests are told from info',
    })(),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    const [{ FAILED, serve }, { openLog }] = await Promise.all([
      import('../serve/server.js'),
      import('../serve/log.js'),
    ])
    const logger = openLog(flags['log-level'])
    const app = await openLocalApp(this.settings(flags), (err) => logger.error({ err }, FAILED))
    const { address, stop } = await serve({
      app,
      host: flags.host,
      port: flags.port,
      logger,
    })
    const interrupted = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    process.stdout.write(`Listening on ${address}\n`)
    await interrupted
    await stop()
  }
}
