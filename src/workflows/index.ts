// The bundle entry: every workflow type, by its public name.
export {}
