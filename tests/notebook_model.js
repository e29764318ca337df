// A widget's model as a notebook gives it to `render`, and what hands over between page and test.
window.models = {};

window.Model = class {
  constructor(state) {
    Object.assign(this, { state, listeners: {}, sent: [], saved: {}, dirty: {} });
  }
  get(name) {
    return this.state[name];
  }
  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = this.dirty[name] = value;
    this.fire(`change:${name}`);
  }
  save_changes() {
    Object.assign(this.saved, this.dirty);
    this.dirty = {};
  }
  send(content) {
    this.sent.push(JSON.parse(JSON.stringify(content)));
  }
  on(event, run) {
    (this.listeners[event] ??= []).push(run);
  }
  off(event, run) {
    this.listeners[event] = (this.listeners[event] ?? []).filter((each) => each !== run);
  }
  fire(event, ...told) {
    for (const run of this.listeners[event] ?? []) run(...told);
  }
  update(state) {
    for (const [name, value] of Object.entries(state)) {
      if (JSON.stringify(this.state[name]) === JSON.stringify(value)) continue;
      this.state[name] = value;
      this.fire(`change:${name}`);
    }
  }
  taken() {
    const taken = { sent: this.sent, saved: this.saved };
    Object.assign(this, { sent: [], saved: {} });
    return taken;
  }
};

window.drawWidget = async (name, script, state) => {
  const model = (models[name] ??= new Model(state));
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const widget = (await import(url)).default;
  URL.revokeObjectURL(url);
  const el = document.createElement("div");
  el.id = name;
  document.body.append(el);
  model.leave = await widget.render({ model, el });
};
