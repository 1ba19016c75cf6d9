/** Something a check found: a start fails, it works and should be changed, or it is as it should be. */
export type Finding = { level: 'wrong' | 'unwise' | 'fine'; text: string }

/** Something that makes a start fail. */
export const wrong = (text: string): Finding => ({ level: 'wrong', text })

/** Something that works and should be changed. */
export const unwise = (text: string): Finding => ({ level: 'unwise', text })

/** Something that Docket uses as it is. */
export const fine = (text: string): Finding => ({ level: 'fine', text })
