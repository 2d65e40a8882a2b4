/** What people read as the model of a call: the program itself where no model was named, for it then takes its own. */
export const modelName = ({ agent, model }: { readonly agent: string; readonly model: string }): string =>
  model === '' ? agent : model;
