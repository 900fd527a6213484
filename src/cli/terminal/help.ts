import { CommandHelp, Help } from '@oclif/core/help'

/** Examples first: they are what people look for. */
class ExamplesFirst extends CommandHelp {
  protected override sections() {
    const sections = super.sections()
    const isExamples = ({ header }: { header: string }) => header === 'EXAMPLES'
    return [...sections.filter(isExamples), ...sections.filter((section) => !isExamples(section))]
  }
}

export class PayctlHelp extends Help {
  protected override CommandHelpClass = ExamplesFirst
}
