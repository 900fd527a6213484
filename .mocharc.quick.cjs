const everything = require('./.mocharc.cjs')

/** Rules, core and terminal, without processes, browsers, long journeys and the contract of every rail. */
module.exports = {
  ...everything,
  spec: [
    'test/engine/core/*.test.ts',
    'test/{domain/accounts,domain/billing,domain/disputes,domain/explain,domain/funding,domain/payments,engine/jobs,gateways,http/{html,payer,browser},installation/maintenance,platform,schema,cli/terminal}/**/*.test.ts',
  ],
  ignore: ['test/gateways/contract/**'],
}
