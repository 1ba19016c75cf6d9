/** Classes of the list around rows; its own width decides how they are laid out. */
export const recordList = 'panel @container divide-y divide-line'
