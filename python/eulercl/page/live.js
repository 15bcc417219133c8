// SPDX-License-Identifier: BSD-2-Clause
// A live view of a run: a picture, sliders, a brush and a probe. It talks to the run by model.send and model.on,
// those of anywidget in a notebook, and of socketModel in a page.

const tables = {
  viridis: "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725",
  inferno: "000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4",
  "blue-red": "3b4cc0 6788ee 9abbff c9d7f0 edd1c2 f7a889 e26952 b40426",
  grey: "000000 ffffff",
};
const notFinite = [128, 128, 128];  // also of obstacles

// Colours of the bytes 0 to 254, and of 255, which is no number.
function colourTable(name) {
  const anchors = tables[name].split(" ").map(one => [0, 2, 4].map(at => parseInt(one.slice(at, at + 2), 16)));
  const colours = new Uint32Array(256), bytes = new Uint8Array(colours.buffer);
  for (let i = 0; i < 256; i++) {
    const at = i / 254 * (anchors.length - 1), k = Math.min(Math.floor(at), anchors.length - 2);
    const colour = i == 255 ? notFinite : anchors[k].map((low, c) => low + (anchors[k + 1][c] - low) * (at - k));
    bytes.set([...colour.map(Math.round), 255], 4 * i);
  }
  return colours;
}

// An element with properties, and in it other elements or texts.
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function save(name, blob) {
  const link = make("a", {download: name, href: URL.createObjectURL(blob)});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Also in a shadow tree, such as that of marimo. Pictures do not move what the user holds.
const hasFocus = element => element.getRootNode().activeElement == element;
const shortly = value => value == null ? "?" : String(Number(value.toPrecision(6)));
// The range of a slider around a value, within the bounds of the parameter.
const around = (v, min, max) => [Math.max(min ?? -Infinity, v > 0 ? 0 : v < 0 ? 4 * v : -1),
                                 Math.min(max ?? Infinity, v > 0 ? 4 * v : v < 0 ? 0 : 1)];

class View {
  constructor(model, element) {
    this.model = model;
    this.element = element;
    this.colours = colourTable("viridis");
    this.view = {component: 0, across: null, low: null, high: null, mode: "mean", axis: 2, index: null};
    this.pictures = [];
    this.trace = [];
    this.sliders = {};
    this.rates = [];
    this.build();
    this.listener = (content, buffers) => this.take(content, buffers);
    model.on("msg:custom", this.listener);
    model.send({type: "join"});
  }

  // The notebook has removed the element for good.
  close() {
    this.model.off("msg:custom", this.listener);
    this.pictures = [];
    this.send({type: "leave"});
  }

  send(message) { this.model.send(message); }

  // ---- what is on the page ----

  build() {
    const button = (text, title, onclick) => make("button", {textContent: text, title, onclick, type: "button"});
    const choice = (names, onchange) => {
      const select = make("select", {}, ...names.map(name => make("option", {value: name}, name)));
      select.onchange = () => onchange(select.value);
      return select;
    };
    const row = (name, ...parts) => make("label", {}, make("span", {}, name), ...parts);
    this.canvas = make("canvas", {className: "picture", tabIndex: 0});
    this.status = make("div", {className: "status"}, "waiting for the first picture");
    this.notice = make("div", {className: "notice"});
    this.notice.setAttribute("role", "status");
    this.play = button("pause", "space", () => this.send({type: "play", on: !this.state?.playing}));
    this.speed = make("input", {type: "range", min: 0, max: 41, step: 1, title: "steps for a picture"});
    this.speedText = make("output");
    this.speed.oninput = () => this.send({type: "speed", steps: this.speed.value == 41 ? null :
                                          Math.round(10 ** (this.speed.value / 10))});
    this.components = choice([], value => this.look({component: Number(value)}));
    this.across = choice([], value => {
      this.cursor = null;
      this.send({type: "probe", place: null});
      this.look({across: value === "" ? null : Number(value)});
    });
    this.against = row("against", this.across);
    this.low = make("input", {type: "number", step: "any", placeholder: "auto", title: "lower end of the colours"});
    this.high = make("input", {type: "number", step: "any", placeholder: "auto", title: "upper end of the colours"});
    for (const [key, input] of [["low", this.low], ["high", this.high]])
      input.onchange = () => this.look({[key]: input.value === "" ? null : Number(input.value)});
    this.table = choice(Object.keys(tables), name => { this.colours = colourTable(name); this.draw(); });
    this.mode = choice(["mean", "max"], mode => this.look({mode}));
    this.plane = choice(["z", "y", "x"], axis => this.look({axis: "xyz".indexOf(axis), index: null}));
    this.index = make("input", {type: "range", min: 0});
    this.index.oninput = () => this.look({index: Number(this.index.value)});
    this.slices = row("plane", this.plane, this.index);
    this.paint = make("input", {type: "checkbox", checked: true});
    this.radius = make("input", {type: "range", min: 1, max: 50, value: 5});
    this.value = make("input", {type: "number", step: "any", value: 1});
    this.traceCanvas = make("canvas", {className: "trace", width: 320, height: 80});
    this.traceText = make("div", {className: "status"}, "point at the picture");
    this.parameters = make("fieldset");
    this.h = make("input", {type: "number", step: "any", title: "step size"});
    this.h.onchange = () => this.send({type: "h", value: this.h.value === "" ? "auto" : Number(this.h.value)});
    this.limit = make("output", {title: "steps must be shorter to be stable"});
    this.source = button("FILE.c", "the problem with these values", () => this.send({type: "source"}));
    this.title = make("b");
    this.element.classList.add("eulercl-live");
    this.element.dataset.lmSuppressShortcuts = "true";  // JupyterLab leaves the keys to the page
    this.element.replaceChildren(
      make("div", {className: "stage"}, this.title, this.canvas, this.status, this.notice),
      make("div", {className: "panel"},
        make("div", {}, this.play, button("step", "key .", () => this.send({type: "step", steps: 1})),
          button("reset", "key r", () => this.send({type: "reset"}))),
        row("speed", this.speed, this.speedText),
        make("fieldset", {}, make("legend", {}, "view"), row("component", this.components, this.table),
          this.against, row("range", this.low, this.high), row("thinning", this.mode), this.slices),
        make("fieldset", {}, make("legend", {}, "brush"), row("paint", this.paint), row("radius", this.radius),
          row("value", this.value)),
        this.parameters,
        row("step size", this.h, button("auto", "choose it from stability", () => this.send({type: "h", value: "auto"})),
          this.limit),
        make("fieldset", {}, make("legend", {}, "probe"), this.traceText, this.traceCanvas),
        make("div", {},
          button("PNG", "save the picture", () => this.canvas.toBlob(blob => save("eulercl.png", blob))),
          button("strokes", "save what was changed, for eulercl live --replay", () => this.send({type: "strokes"})),
          this.source, button("link", "copy a link with these values", () => this.copyLink()))));
    this.listen();
  }

  listen() {
    const canvas = this.canvas;
    canvas.onpointerdown = event => {
      canvas.setPointerCapture(event.pointerId);
      this.last = this.paint.checked ? this.place(event) : null;
      if (this.last) this.stroke(this.last);
      event.preventDefault();
      canvas.focus();
    };
    canvas.onpointermove = event => {
      const place = this.place(event);
      if (this.last && place) this.stroke(place);
      else if (place) this.probe(place);
    };
    canvas.onpointerup = canvas.onpointercancel = () => { this.last = null; };
    this.element.onkeydown = event => {
      if (["INPUT", "SELECT", "BUTTON"].includes(event.target.tagName)) return;
      const arrow = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
      const action = {" ": () => this.play.click(), ".": () => this.send({type: "step", steps: 1}),
        r: () => this.send({type: "reset"}), p: () => this.paint.click(),
        "[": () => this.radius.stepDown(), "]": () => this.radius.stepUp(),
        Enter: () => this.cursor && this.stroke(this.cursor)}[event.key] ?? (arrow && (() => this.move(...arrow)));
      if (action) { action(); event.preventDefault(); }
    };
  }

  move(dx, dy) {
    if (!this.frame || this.frame.across != null) return;
    const [width, height] = this.frame.size, at = this.cursor ?? {across: width >> 1, up: height >> 1};
    this.probe({...at, across: Math.min(width - 1, Math.max(0, at.across + dx)),
                up: Math.min(height - 1, Math.max(0, at.up + dy))});
  }

  // ---- places ----

  // The point of the grid under the pointer: its column and row in the picture, and in 1-D the value at its height.
  place(event) {
    if (!this.frame || this.frame.across != null) return null;
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width, y = (event.clientY - box.top) / box.height;
    if (!(x >= 0 && x < 1 && y >= 0 && y < 1)) return null;
    const [across, up] = this.frame.size;
    const {low, high} = this.drawn ?? this.frame;
    return {across: Math.floor(x * across), up: up - 1 - Math.floor(y * up), value: low + (1 - y) * (high - low)};
  }

  // The indices along x, y and z.
  indices({across, up}) {
    const index = this.frame.index;
    if (this.hello.extents.length < 3) return this.hello.extents.length == 2 ? [across, up] : [across];
    return {2: [across, up, index], 1: [across, index, up], 0: [index, across, up]}[this.view.axis];
  }

  probe(place) {
    this.cursor = place;
    this.trace = [];
    this.send({type: "probe", place: this.indices(place)});
  }

  stroke(place) {
    const from = this.last ?? place, radius = Number(this.radius.value);
    const n = Math.max(1, Math.ceil(2 * Math.hypot(place.across - from.across, place.up - from.up) / radius));
    const places = [];
    for (let k = n == 1 ? 1 : 0; k <= n && places.length < 256; k++)
      places.push(this.indices({across: from.across + (place.across - from.across) * k / n,
                                up: from.up + (place.up - from.up) * k / n}));
    if (this.last) this.last = place;
    const value = this.hello.extents.length == 1 ? place.value : Number(this.value.value);
    this.send({type: "stroke", stroke: {component: this.view.component, places, radius, value}});
  }

  look(change) {
    Object.assign(this.view, change);
    this.send({type: "view", ...this.view});
  }

  // ---- messages of the run ----

  take(content, buffers) {
    if (content.type == "hello") this.meet(content);
    if (content.type == "frame") this.see(content, buffers[0]);
    if (content.type == "file") save(content.name, new Blob(buffers));
    if (content.type == "error") this.say({text: content.text + (content.log ? "\n" + content.log : ""), fixes: []});
    if (content.type == "lost") this.say({text: "The connection is lost. ", fixes: [{text: "connect again", reload: true}]});
  }

  meet(hello) {
    const isFirst = !this.hello;
    this.hello = hello;
    this.title.textContent = `${hello.name}: ${hello.title}`;
    this.components.replaceChildren(...hello.components.map((name, c) => make("option", {value: c}, name)));
    this.across.replaceChildren(make("option", {value: ""}, "place"), ...this.components.cloneNode(true).children);
    if (isFirst) Object.assign(this.view, {component: hello.component, across: hello.across});
    this.components.value = this.view.component;
    this.across.value = this.view.across ?? "";
    this.slices.hidden = hello.extents.length < 3;
    this.against.hidden = hello.extents.length > 1 || hello.components.length < 2;
    this.source.hidden = !hello.has_source;
    this.view.index = null;
    this.parameters.replaceChildren(make("legend", {}, "parameters"), ...hello.parameters.map(one => this.slider(one)));
    const width = Math.round(this.canvas.parentNode.clientWidth * devicePixelRatio) || 512;
    Object.assign(this.view, {width: Math.min(1024, Math.max(16, width)), height: 1024});
    this.look({});
    if (isFirst && this.model.isPage)
      for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
        if (name in this.sliders && isFinite(value)) this.send({type: "set", name, value: Number(value)});
  }

  slider(one) {
    const slider = make("input", {type: "range", title: one.doc}), number = make("input", {type: "number", step: "any"});
    const place = value => {
      if (!(value >= Number(slider.min) && value <= Number(slider.max)) || slider.max == "") {
        const [low, high] = around(value, one.min, one.max);
        Object.assign(slider, {min: low, max: high, step: one.integer ? 1 : "any"});
      }
      if (!hasFocus(slider)) slider.value = value;
      if (!hasFocus(number)) number.value = shortly(value);
    };
    slider.max = "";
    place(one.value);
    slider[one.integer ? "onchange" : "oninput"] = () => this.change(one.name, Number(slider.value));
    number.onchange = () => this.change(one.name, Number(number.value));
    slider.dataset.name = number.dataset.name = one.name;
    this.sliders[one.name] = place;
    return make("label", {title: one.doc}, make("span", {}, one.name + (one.unit ? ` [${one.unit}]` : "")), slider, number);
  }

  // Send the last value of a parameter once in a while: a slider that moves makes hundreds.
  change(name, value) {
    if (!this.changes) {
      this.changes = {};
      setTimeout(() => {
        for (const [name, value] of Object.entries(this.changes)) this.send({type: "set", name, value});
        this.changes = null;
      }, 15);
    }
    this.changes[name] = value;
  }

  say(notice) {
    this.notice.replaceChildren(...(notice ? [notice.text + " ", ...notice.fixes.map(fix => make("button", {
      type: "button", textContent: fix.text,
      onclick: () => fix.reload ? location.reload() : this.send(fix.message)}))] : []));
  }

  // The run sends two pictures ahead. The screen shows one after the other, and a page that is hidden shows none, also
  // where a notebook has only taken the element from its page.
  see(frame, data) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.pictures.push({frame, data: this.isLine(frame) ? new Float32Array(bytes.slice().buffer) : bytes});
    if (this.pictures.length == 1) requestAnimationFrame(() => this.show());
  }

  show() {
    if (!this.pictures.length) return;
    if (!this.element.isConnected) return void setTimeout(() => this.show(), 200);
    const {frame, data} = this.pictures.shift(), {state} = frame;
    if (this.pictures.length) requestAnimationFrame(() => this.show());
    Object.assign(this, {frame, data});
    this.send({type: "ack", frame: frame.number});
    this.draw();
    const now = performance.now();
    this.rates = [...this.rates.filter(one => one.now > now - 2000), {now, steps: frame.steps}];
    const first = this.rates[0], seconds = (now - first.now) / 1000;
    const rate = count => seconds > 0 ? Math.max(0, Math.round(count / seconds)) : 0;
    this.status.textContent = `t = ${shortly(frame.t)}, step ${frame.steps}, ${rate(frame.steps - first.steps)} steps/s, ` +
      `${rate(this.rates.length - 1)} pictures/s, ${shortly(frame.low)} to ${shortly(frame.high)}` +
      (frame.n > 1 ? `, ${frame.mode} of ${frame.n} x ${frame.n} points` : "") + (state.painted ? ", painted" : "");
    this.follow(state);
    if (frame.probe) this.drawTrace(frame);
  }

  // Show what holds for the run, also if another page has changed it.
  follow(state) {
    if (JSON.stringify(state.notice) != JSON.stringify(this.state?.notice ?? null)) this.say(state.notice);
    this.state = state;
    this.play.textContent = state.playing ? "pause" : "play";
    for (const [name, value] of Object.entries(state.parameters)) this.sliders[name]?.(value);
    if (!hasFocus(this.h)) this.h.value = state.h == null ? "" : shortly(state.h);
    this.h.disabled = state.h == null;
    this.limit.textContent = (state.auto ? "auto " : "") + (state.limit ? `< ${state.limit.toPrecision(3)}` : "");
    if (!hasFocus(this.speed)) this.speed.value = state.speed == null ? 41 : 10 * Math.log10(state.speed);
    this.speedText.textContent = state.speed == null ? `all (${this.frame.batch})` : state.speed;
    if (this.hello.extents.length == 3) {
      this.index.max = this.hello.extents[this.view.axis] - 1;
      if (!hasFocus(this.index)) this.index.value = this.frame.index;
    }
  }

  // ---- pictures ----

  isLine(frame) { return this.hello.extents.length == 1 && frame.across == null; }

  draw() {
    if (!this.frame) return;
    this.canvas.style.imageRendering = this.isLine(this.frame) ? "auto" : "pixelated";
    if (this.isLine(this.frame)) return this.drawLine();
    const {width, height} = this.frame, canvas = this.canvas;
    resize(canvas, width, height);
    const context = canvas.getContext("2d"), image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = 0; row < height; row++)  // row 0 of the grid is the lowest one
      for (let k = 0, from = row * width, to = (height - 1 - row) * width; k < width; k++)
        pixels[to + k] = this.colours[this.data[from + k]];
    context.putImageData(image, 0, 0);
    this.drawn = this.frame;
  }

  drawLine() {
    const canvas = this.canvas, {frame, data} = this;
    resize(canvas, 800, 400);
    plot(canvas, data.length, k => data[k]);
    this.drawn = frame;
  }

  drawTrace(frame) {
    const value = frame.probe[Math.min(this.view.component, frame.probe.length - 1)];
    this.trace = [...this.trace.slice(-499), value ?? NaN];
    const finite = this.trace.filter(isFinite), low = Math.min(...finite), high = Math.max(...finite);
    plot(this.traceCanvas, this.trace.length, k => high > low ? (this.trace[k] - low) / (high - low) : 0.5);
    this.traceText.textContent = `(${this.cursor ? this.indices(this.cursor) : ""}): ` + this.hello.components.map(
      (name, c) => `${name} = ${shortly(frame.probe[c])}`).join(", ");
  }

  copyLink() {
    const url = new URL(location.href);
    url.hash = new URLSearchParams(this.state.parameters);
    navigator.clipboard?.writeText(url.href);
    if (this.model.isPage) history.replaceState(null, "", url);
  }
}

// Give the picture its proportions, within the page.
function resize(canvas, width, height) {
  if (canvas.style.width && canvas.width == width && canvas.height == height) return;
  Object.assign(canvas, {width, height});
  canvas.style.width = `min(100%, ${82 * width / height}vh)`;
}

// Draw a line through values from 0 to 1.
function plot(canvas, count, value) {
  const context = canvas.getContext("2d"), {width, height} = canvas;
  context.clearRect(0, 0, width, height);
  context.strokeStyle = "#1f4e9e";
  context.lineWidth = 2;
  context.beginPath();
  for (let k = 0; k < count; k++)
    context[k && isFinite(value(k - 1)) ? "lineTo" : "moveTo"](count > 1 ? k / (count - 1) * width : 0,
                                                               (1 - value(k)) * (height - 4) + 2);
  context.stroke();
}

// The model of anywidget over a socket: a message is the length of its text, the text, and bytes.
function socketModel(address) {
  const listeners = [], socket = new WebSocket(address);
  const tell = (content, buffers) => listeners.forEach(listener => listener(content, buffers));
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({data}) => {
    const length = new DataView(data).getUint32(0, true);
    tell(JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))), [new DataView(data, 4 + length)]);
  };
  socket.onclose = () => tell({type: "lost"}, []);
  const send = message => message.type != "join" && socket.readyState == 1 && socket.send(JSON.stringify(message));
  return {send, isPage: true, on: (name, listener) => listeners.push(listener)};
}

export default {render({model, el}) {
  const view = new View(model, el);
  return () => view.close();
}};

const page = document.getElementById("eulercl-live");
if (page) new View(socketModel(`ws://${location.host}/socket${location.search}`), page);
