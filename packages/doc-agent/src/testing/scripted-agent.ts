import { scriptPrompts } from './script-prompts.ts'

// For a process that loads this file first, such as a Docket of the browser tests.
scriptPrompts()
