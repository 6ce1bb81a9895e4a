CLASSIFIERS = {"added": {}, "deleted": {}}
